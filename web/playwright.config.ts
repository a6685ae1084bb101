import { defineConfig } from '@playwright/test'
import { browserArgs, browserPath } from './e2e/browser.ts'

const WAITING = ['**/hotwallet.spec.ts', '**/deposits.spec.ts']

export default defineConfig({
  testDir: './e2e',
  outputDir: './test-results',
  globalSetup: './e2e/setup.ts',
  // Each worker runs a browser and a server of its own: two at work, and one that waits.
  workers: 3,
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
    // Tests that replace answers must see every request; serving.spec.ts allows the worker.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    // They mostly wait for a chain, beside the others.
    { name: 'waiting', testMatch: WAITING, workers: 1 },
    { name: 'browser', testMatch: '**/*.spec.ts', testIgnore: WAITING, workers: 2 },
    // `make test-nightly` runs them, and the others again with NIGHTLY=1.
    { name: 'nightly', testMatch: '**/*.nightly.ts', workers: 2 },
    { name: 'screenshots', testMatch: '**/screenshots.ts', workers: 2 },
    { name: 'lighthouse', testMatch: ['**/lighthouse.ts', '**/tables.ts'] },
  ],
})
