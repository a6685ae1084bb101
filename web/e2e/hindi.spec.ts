import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import site from '../../messages/hi/site/site.json' with { type: 'json' }
import { adminPaths, memberPaths, publicPaths } from '../src/lib/paths.ts'
import { walk } from './checks.ts'
import { enter } from './console.ts'
import { expect, test } from './history.ts'
import { signInOperator } from './operator.ts'

// Other walks check the layout.
test.use({ accessibleAtEnd: false })

/** The demo's texts, as its members and operators would write them. */
const quoted = (file: string) => {
  const text = readFileSync(
    new URL(`../../internal/tools/demo/${file}.go`, import.meta.url),
    'utf8',
  )
  return [...text.matchAll(/"([^"]+)"/g)].map(([, words = '']) => words)
}
/** The demo's people, and the member whom dashboard.spec.ts registers. */
const names = new Set([...quoted('people'), 'Nova Newcomer'].flatMap((words) => words.split(' ')))
const sentences = [...quoted('tickets'), ...quoted('cash')].filter((words) => words.includes(' '))

/** Words in Latin letters in every language. */
const LATIN = new RegExp(
  [
    // Names of products, networks, files and units, and codes of banks and chains.
    'Bifolia Demo Ltd|Bifolia|Leafswap|Two Leaves Travel|Venation|Gridleaf|Trendleaf|Folio Coin',
    'PancakeSwap|BNB Smart Chain|iPhone|Android|facebook|instagram|linkedin|youtube|twitter|English',
    'USDT|USD|EUR|dEaD|BEP-20|UTR|TRX|IFSC|OTP|QR|ROI|CSV|XLSX|PDF|JSON|UTC|GB|MB|ppm',
    // The demo operators' input: banks, references, names and devices.
    'Demo Bank of Leaves|Second Demo Bank|Main Street|Demo Operator|node',
    'Statement (FOREX|CRYPTO) [\\d-]+|Called back for C-\\w+',
    // Ids, hashes, addresses, accounts of the ledger, a field of a file.
    '[\\w.+-]+@[\\w.-]+|https?://\\S+|L:[\\w:]+|C-\\w+|[a-z2-7]{17}|[\\w-]*\\d[\\w-]*|"version"',
  ]
    .map((part) => `(?<![A-Za-z])(${part})(?![A-Za-z])`)
    .concat('\\$[\\d.,]+M')
    .join('|'),
  'g',
)

/** The rest of a text that should be in Hindi. */
function latinOf(text: string): string {
  const own = sentences.reduce((rest, sentence) => rest.replaceAll(sentence, ''), text)
  const left = own.replace(LATIN, '').match(/[A-Za-z]+/g) ?? []
  return left.some((word) => !names.has(word)) ? text.trim() : ''
}

/** All visible and accessible texts of a loaded page. */
const textsOf = (page: Page, before: string) =>
  page.evaluate(
    async ([loading, old]) => {
      const busy = `[role=status][aria-label="${loading}"], .mantine-Skeleton-root, [aria-busy=true]`
      const waits = () =>
        document.title === old ||
        !document.querySelector('h1') ||
        Array.from(document.querySelectorAll(busy)).some((element) => element.checkVisibility())
      const until = Date.now() + 15_000
      // Twice in a row, because one answer may trigger another request.
      for (let quiet = 0; quiet < 2 && Date.now() < until; quiet = waits() ? 0 : quiet + 1) {
        await new Promise((resolve) => setTimeout(resolve, 40))
      }
      const found = [document.title]
      const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
        // Keys, drafts and their previews, and the banner's hidden language.
        const skipped = 'script, style, noscript, kbd, textarea, main [inert], #demo [lang="en"]'
        if (!node.parentElement?.closest(skipped)) found.push(node.textContent ?? '')
      }
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        for (const element of Array.from(document.querySelectorAll(`body [${name}]`))) {
          if (!element.closest('main [inert], #demo')) found.push(element.getAttribute(name) ?? '')
        }
      }
      return found
    },
    [site.shell.loading, before],
  )

const MANY = ['/admin/funds', '/admin/withdrawals', '/admin/claims', '/admin/tickets']

test('every screen is in Hindi, server texts included', async ({ memberPage: page, server }) => {
  test.setTimeout(180_000)
  const token = await signInOperator(server.url, server.demo.operator)
  await enter(page, { id: '', email: server.demo.operator.email, token })
  await page.context().addCookies([{ name: 'bifolia.language', value: 'hi', url: server.url }])
  await page.goto('/info/terms')
  const english = new Map<string, string>()
  const look = async (where: string, before: string) => {
    for (const text of await textsOf(page, before)) {
      const latin = latinOf(text)
      if (latin !== '' && !english.has(latin)) english.set(latin, where)
    }
  }
  const admin = adminPaths.map((path) =>
    path === '/admin/member'
      ? `${path}?uid=${server.demo.member.id}`
      : MANY.includes(path)
        ? `${path}?state=all&size=100`
        : path,
  )
  for (const path of [...publicPaths, '/no-such-page', ...memberPaths, ...admin]) {
    const before = await page.title()
    await walk(page, path)
    await look(path, before)
    const tabs = page.getByRole('tab', { selected: false })
    for (const tab of (await tabs.count()) > 0 ? await page.getByRole('tab').all() : []) {
      await tab.click()
      await look(`${path} ${await tab.innerText()}`, '')
    }
  }
  expect(Object.fromEntries(english)).toEqual({})
})
