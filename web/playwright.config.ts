import { defineConfig } from '@playwright/test'
import { browserArgs, browserPath } from './e2e/browser.ts'

const WAITING = '**/hotwallet.spec.ts'

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  globalSetup: './e2e/setup.ts',
  // Each worker runs a browser and a server of its own.
  workers: 2,
  fullyParallel: true,
  // A busy machine is slow; a fault stays one however long one waits.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? [['list'], ['html', { open: 'never' }]] : 'list',
  use: {
    launchOptions: { executablePath: browserPath(), args: browserArgs },
    // A trace of every test costs a third of the run: ask for it with --trace=on.
    screenshot: 'only-on-failure',
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // It mostly waits for a chain, and would do so alone if it came last.
    { name: 'waiting', testMatch: WAITING },
    { name: 'browser', testMatch: '**/*.spec.ts', testIgnore: WAITING },
    // `make test-nightly` runs them, and the others again with NIGHTLY=1.
    { name: 'nightly', testMatch: '**/*.nightly.ts' },
    { name: 'screenshots', testMatch: '**/screenshots.ts' },
    { name: 'lighthouse', testMatch: ['**/lighthouse.ts', '**/tables.ts'] },
  ],
})
