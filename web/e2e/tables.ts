import type { Page } from '@playwright/test'
import { expect, test } from './history.ts'

/**
 * How long after its reply a hundred rows can be seen, in `npm run lighthouse`: a measurement of
 * time, and no part of the ordinary tests. The reply's end is the browser's own figure; seen is the
 * first frame after the last row was put in.
 */
const WANTED_MS = 200
const RUNS = 5
const LISTS = [
  ['/MyTeam', 'DownlineReport'],
  ['/LevelDetails', 'LevelDetails'],
  ['/LevelIncome', 'GetIncomeReport'],
  ['/RoiLevelIncomeForex', 'GetIncomeReport'],
] as const

test.use({ accessibleAtEnd: false })

/** Notes when the first frame with a hundred rows has been drawn. */
async function watchRows(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { rowsSeenAt?: number }
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll('table tbody td:nth-child(2)').length < 100) return
      observer.disconnect()
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.onmessage = () => {
          seen.rowsSeenAt = performance.now()
        }
        channel.port2.postMessage(null)
      })
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

async function afterReply(page: Page, path: string, call: string): Promise<number> {
  await page.goto(`${path}?size=100`)
  await page.waitForFunction(() => 'rowsSeenAt' in window)
  return await page.evaluate((name) => {
    const { rowsSeenAt = 0 } = window as unknown as { rowsSeenAt?: number }
    const replies = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const ends = replies.filter((r) => r.name.includes(name)).map((r) => r.responseEnd)
    return rowsSeenAt - Math.max(...ends.filter((end) => end <= rowsSeenAt))
  }, call)
}

for (const [path, call] of LISTS) {
  test(`${path} shows a hundred rows within ${WANTED_MS} ms of their reply`, async ({
    memberPage,
  }) => {
    await watchRows(memberPage)
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) times.push(await afterReply(memberPage, path, call))
    times.sort((a, b) => a - b)
    const shown = times.map((time) => Math.round(time)).join(', ')
    process.stdout.write(`${path}: 100 rows seen ${shown} ms after their reply\n`)
    expect(times[Math.floor(RUNS / 2)]).toBeLessThanOrEqual(WANTED_MS)
  })
}
