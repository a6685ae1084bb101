import { test as base, expect, type Page } from '@playwright/test'
import { expectAccessible } from './checks.ts'
import { openSession, type Session } from './people.ts'
import { type Server, startServer } from './server.ts'

interface TestFixtures {
  /**
   * Console errors a test provokes on purpose. Anything else in the console, an uncaught error
   * or a breach of the content security policy fails the test, whatever it was about.
   */
  expectedErrors: RegExp | null
  /** At the end of the test the page has no serious accessibility fault. */
  accessibleAtEnd: boolean
  /** The page of the demo's first member, signed in; open any address with goto. */
  memberPage: Page
}

interface WorkerFixtures {
  server: Server
  /** The first member's session, shared by the tests of a worker: do not log it out. */
  memberSession: Session
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],

  memberSession: [
    async ({ server }, use) => use(await openSession(server.url, server.demo.member)),
    { scope: 'worker' },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  expectedErrors: [null, { option: true }],
  accessibleAtEnd: [true, { option: true }],

  page: async ({ page, expectedErrors, accessibleAtEnd }, use, info) => {
    const problems = await watch(page)
    await use(page)
    const unexpected = problems.filter((text) => !expectedErrors?.test(text))
    expect(unexpected, 'console errors, uncaught errors, policy violations').toEqual([])
    const isOpen = !page.isClosed() && page.url().startsWith('http')
    if (accessibleAtEnd && isOpen && info.status === 'passed') await expectAccessible(page)
    // A call that a test holds or changes may be under way.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },

  memberPage: async ({ page, memberSession }, use) => {
    await useSession(page, memberSession)
    await use(page)
  },
})

/** Signs the tab in before it opens its first page. */
export async function useSession(page: Page, session: Session): Promise<void> {
  await page.addInitScript((stored) => {
    // A token that was renewed meanwhile stays.
    if (sessionStorage.getItem('bifolia.session') === null) {
      sessionStorage.setItem('bifolia.session', stored)
    }
  }, JSON.stringify(session))
}

/** Collects the errors of the page from its start. */
async function watch(page: Page): Promise<string[]> {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // playwright.config.ts blocks it.
    if (message.text() === 'Service Worker registration blocked by Playwright') return
    if (message.type() === 'error' || message.type() === 'warning') {
      problems.push(`console: ${message.text()}`)
    }
  })
  await page.exposeFunction('reportViolation', (text: string) => problems.push(`policy: ${text}`))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      const { reportViolation } = window as unknown as { reportViolation: (text: string) => void }
      reportViolation(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return problems
}

export { expect }
