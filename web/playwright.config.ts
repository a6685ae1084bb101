import { defineConfig } from '@playwright/test'
import { browserArgs, browserPath } from './e2e/browser.ts'

const WAITING = '**/hotwallet.spec.ts'

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  // Each worker runs its own browser and server.
  workers: 2,
  fullyParallel: true,
  // Generous, because a busy machine is slow.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: {
    launchOptions: { executablePath: browserPath(), args: browserArgs },
    // A trace of every test costs a third of the run: use --trace=on.
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // This test mostly waits for a chain, so it starts first.
    { name: 'waiting', testMatch: WAITING },
    { name: 'browser', testMatch: '**/*.spec.ts', testIgnore: WAITING },
    { name: 'screenshots', testMatch: '**/screenshots.ts' },
    { name: 'lighthouse', testMatch: ['**/lighthouse.ts', '**/tables.ts'] },
  ],
})
