import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import lighthouse, { desktopConfig } from 'lighthouse'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import puppeteer, { type Browser } from 'puppeteer-core'
import { browserArgs, browserPath } from './browser.ts'
import { expect, test } from './fixtures.ts'
import type { Session } from './people.ts'

/**
 * Lighthouse on the real program: `npm run lighthouse`. It measures time, so its figures mean
 * something only on a machine that does nothing else; it is no part of the ordinary tests. As a
 * slow phone on a slow network, as Lighthouse does by itself; `FORM=desktop` as a desk computer.
 * `REPORTS=folder` keeps what it found, for https://googlechrome.github.io/lighthouse/viewer/.
 *
 * The phone is one whose processor is a quarter of a good desk computer's. What this machine's
 * is at the moment Lighthouse's own benchmark tells, and how much slower the phone is than that
 * follows (Lighthouse, docs/throttling.md, "Calibrating the CPU slowdown"); `SLOWDOWN=4` sets it.
 */
const WANTED = 0.95
const PAGES = ['/', '/Login', '/dashboard']

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Lighthouse's benchmark of a high-end desktop, for which its slowdown is 4. */
const GOOD_DESKTOP = 1750

/** The factor by which the simulated phone is slower than this machine is now. */
async function calibrate(browser: Browser) {
  const page = await browser.newPage()
  const index = Number(await page.evaluate(pageFunctions.computeBenchmarkIndex))
  await page.close()
  const slowdown =
    Number(process.env.SLOWDOWN) || Math.min(4, Math.max(1, (4 * index) / GOOD_DESKTOP))
  return { index, slowdown }
}

function configOf(slowdown: number) {
  if (process.env.FORM === 'desktop') return desktopConfig
  const settings = { throttling: { cpuSlowdownMultiplier: slowdown } }
  return { extends: 'lighthouse:default', settings }
}

/** Opens an address in a new tab that is signed in. */
async function measure(
  browser: Browser,
  address: string,
  session: Session,
  port: number,
  slowdown: number,
) {
  const page = await browser.newPage()
  if (address.endsWith('/dashboard')) {
    await page.evaluateOnNewDocument((stored) => {
      sessionStorage.setItem('bifolia.session', stored)
    }, JSON.stringify(session))
  }
  const result = await lighthouse(
    address,
    { port, onlyCategories: ['performance', 'accessibility'], disableStorageReset: true },
    configOf(slowdown),
    page,
  )
  await page.close()
  if (!result) throw new Error('Lighthouse gave no result')
  return result.lhr
}

function keep(path: string, found: unknown) {
  const folder = process.env.REPORTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${path.slice(1) || 'landing'}.json`), JSON.stringify(found))
}

for (const path of PAGES) {
  test(`${path} scores at least 95`, async ({ server, memberSession }) => {
    test.setTimeout(300_000)
    const port = await freePort()
    const browser = await puppeteer.launch({
      executablePath: browserPath(),
      args: [...browserArgs, `--remote-debugging-port=${port}`],
    })
    try {
      const { index, slowdown } = await calibrate(browser)
      const lhr = await measure(browser, server.url + path, memberSession, port, slowdown)
      keep(path, lhr)
      const score = (name: string) => lhr.categories[name]?.score ?? 0
      const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time']
      times.push('cumulative-layout-shift')
      const figures = times.map((id) => `${id} ${lhr.audits[id]?.displayValue ?? '?'}`).join(', ')
      test.info().annotations.push({ type: 'figures', description: figures })
      process.stdout.write(
        `${path}: performance ${score('performance')}, accessibility ${score('accessibility')}, ${figures}; this machine ${index}, slowdown ${slowdown.toFixed(1)}\n`,
      )
      expect(score('accessibility')).toBeGreaterThanOrEqual(WANTED)
      expect(score('performance')).toBeGreaterThanOrEqual(WANTED)
    } finally {
      await browser.close()
    }
  })
}
