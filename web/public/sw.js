// Keeps the files with a hash in their name, which never change, and a page for times without a
// connection. Pages and answers of the API always come from the server.
const CACHE = 'bifolia-1'
const OFFLINE = ['/offline.html', '/offline.css', '/favicon.svg']
/** The number of files that are kept: those of the latest releases. */
const MOST = 300

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(OFFLINE))
      .then(() => self.skipWaiting()),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  )
})

async function asset(request) {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) {
    await cache.put(request, answer.clone())
    const files = (await cache.keys()).filter(({ url }) =>
      new URL(url).pathname.startsWith('/assets/'),
    )
    await Promise.all(
      files.slice(0, Math.max(0, files.length - MOST)).map((file) => cache.delete(file)),
    )
  }
  return answer
}

const page = (request) => fetch(request).catch(() => caches.match('/offline.html'))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (request.mode === 'navigate' && !pathname.startsWith('/api/'))
    event.respondWith(page(request))
  else if (OFFLINE.includes(pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)))
  }
})
