import { expect, test } from './fixtures.ts'

for (const [path, status] of [
  ['/', 200],
  ['/Login', 200],
  ['/info/terms', 200],
  ['/no/such/page', 404],
  ['/info/nothing', 404],
] as const) {
  test(`${path} is HTML that is never stored, under a strict policy`, async ({ request }) => {
    const response = await request.get(path)
    expect(response.status()).toBe(status)
    const headers = response.headers()
    expect(headers['content-type']).toContain('text/html')
    expect(headers['cache-control']).toBe('no-store')
    const policy = new Map(
      (headers['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.trim().split(/\s+/)
        return [name, sources.join(' ')]
      }),
    )
    expect(policy.get('default-src')).toBe("'self'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
  })
}

test('hashed assets are cached forever', async ({ page, request }) => {
  const assets = new Set<string>()
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) assets.add(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  const kinds = new Set([...assets].map((url) => url.split('.').pop()))
  expect(kinds).toEqual(new Set(['js', 'css', 'woff2']))
  for (const url of assets) {
    const { 'cache-control': cached } = (await request.get(url)).headers()
    expect(cached, url).toBe('public, max-age=31536000, immutable')
  }
})

test('the page has an icon', async ({ request }) => {
  const response = await request.get('/favicon.svg')
  expect(response.headers()['content-type']).toContain('image/svg+xml')
})

test('an unknown call answers 404 as JSON', async ({ request }) => {
  const response = await request.get('/api/unknown')
  expect(response.status()).toBe(404)
  expect(response.headers()['content-type']).toMatch(/^application\/(problem\+)?json/)
  expect(await response.json()).toBeInstanceOf(Object)
})

test('a messenger and a search engine find a description', async ({ request }) => {
  const page = await (await request.get('/Bifolia')).text()
  expect(page).toContain('<title>Transparency · Bifolia</title>')
  for (const tag of [
    'rel="canonical"',
    'property="og:image"',
    'name="twitter:card"',
    'hreflang="hi"',
  ]) {
    expect(page).toContain(tag)
  }
  expect(await (await request.get('/robots.txt')).text()).toContain('Sitemap: ')
  expect(await (await request.get('/sitemap.xml')).text()).toContain('/Bifolia</loc>')
  for (const file of [
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/share.png',
    '/manifest.webmanifest',
  ]) {
    expect((await request.get(file)).status(), file).toBe(200)
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, accessibleAtEnd: false })

  test('the public texts can be read', async ({ page }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      /^Empower your financial future/,
    )
    await expect(page.getByRole('heading', { name: 'Our Packages' })).toBeVisible()
    await page.getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy Policy')
  })
})

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow', accessibleAtEnd: false, expectedErrors: /.*/ })

  test('a visitor who came before sees a page, and no stored answers', async ({
    page,
    context,
  }) => {
    await page.goto('/')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.goto('/Bifolia', { waitUntil: 'networkidle' })
    await context.setOffline(true)
    await page.goto('/Bifolia')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are offline')
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('bifolia-1')
      return (await cache.keys()).map(({ url }) => new URL(url).pathname)
    })
    expect(kept.filter((path) => !path.startsWith('/assets/')).toSorted()).toEqual([
      '/favicon.svg',
      '/offline.css',
      '/offline.html',
    ])
  })
})
