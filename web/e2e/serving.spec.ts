import { expect, test } from './fixtures.ts'

for (const path of ['/', '/Login', '/no/such/page']) {
  test(`${path} is HTML that is never stored, under a strict policy`, async ({ request }) => {
    const response = await request.get(path)
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
