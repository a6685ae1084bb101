import { type Chain, startChain } from './chain.ts'
import { expectWhole } from './checks.ts'
import { approved, test as base, expect, openHealth } from './console.ts'
import { startServer } from './server.ts'

/** A server that can pay: it has a chain and a wallet on it. */
const test = base.extend<object, { chain: Chain }>({
  chain: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from here
    async ({}, use) => {
      const chain = await startChain()
      await use(chain)
      await chain.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ chain }, use) => {
      const server = await startServer(['--auto-close=false', ...chain.settings])
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

/** The server reads the chain every fifteen seconds; the page does not refresh. */
const SOON = { timeout: 90_000, intervals: [2_000] }

test('the hot wallet pays a batch, and the chain confirms it', async ({
  ownerPage: page,
  server,
  owner,
  chain,
}) => {
  test.setTimeout(240_000)
  const ready = await approved(server.url, owner)
  await page.goto('/admin/payouts')
  const wallet = page.getByRole('region', { name: 'Paying wallet' })
  await expect(wallet).toContainText(chain.wallet)
  await expect(wallet).toContainText('$1,000.00')
  await expect(wallet).toContainText('2 of 2 responding')

  await page.getByLabel(`Select withdrawal ${ready.id}`).check()
  await page.getByRole('button', { name: 'Create batch of 1' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Method').locator('option')).toHaveText(['Hot wallet', 'Manual'])
  await dialog.getByRole('button', { name: 'Create batch' }).click()
  const batch = page.getByRole('region', { name: 'Batch 1', exact: true })
  await expect(batch).toContainText('the server pays it')
  await batch.getByRole('button', { name: 'Approve and pay' }).click()
  await expect(dialog).toContainText('Signed payments can’t be undone')
  await dialog.getByRole('button', { name: 'Approve and pay' }).click()
  await expect(batch).toContainText('You don’t need to do anything')

  await expect(async () => {
    await page.reload()
    await expect(batch).toContainText('All payouts are finished.', { timeout: 5_000 })
  }).toPass(SOON)
  await expect(batch.getByRole('row').last()).toContainText('Confirmed')
  await expect(batch.getByText(/^0x[0-9a-f]{64}$/)).toBeVisible()
  await expect(wallet).not.toContainText('$1,000.00')
  await expectWhole(page)

  await page.goto('/admin')
  await openHealth(page)
  const health = page.getByRole('region', { name: 'Blockchain', exact: true })
  await expect(health).toContainText('OK')
  await expect(health).toContainText('0 / 2')

  // The nodes stop: the page says so, and marks unknown values.
  await chain.stop()
  await page.goto('/admin/payouts')
  await expect(wallet).toContainText('No answer from the blockchain')
  await expect(wallet).toContainText('0 of 2 responding')
})
