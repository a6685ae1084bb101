import type { Page } from '@playwright/test'
import { confirmBy, expect, expectRefused, fundsOf, giveFunds, newMember, test } from './money.ts'

const ROBOT = { path: '/RobotActivation', nobody: 'Invalid User Id!!' }
const SCREENS = [
  ROBOT,
  { path: '/Upgrade', nobody: 'Sponsor Id doesnot exists !!' },
  { path: '/ForexActivation', nobody: 'Invalid User Id!!' },
  { path: '/CryptoActivation', nobody: 'Invalid User Id!!' },
]

const password = (page: Page) => page.getByLabel('Transaction Password', { exact: true })
/** Robot packages are cards, the packages of a line a select. */
const choose = async (page: Page, index: number) => {
  const cards = page.getByRole('radiogroup', { name: 'Package' })
  const list = page.getByRole('combobox', { name: 'Package' })
  await expect(cards.or(list)).toBeVisible()
  if (await cards.count())
    await cards
      .getByRole('radio')
      .nth(index - 1)
      .click()
  else await list.selectOption({ index })
}

for (const { path, nobody } of SCREENS) {
  test(`${path} starts with the member's id, shows its name and requires every field`, async ({
    ownPage: page,
    member,
  }) => {
    await page.goto(path)
    const id = page.getByLabel('User Id')
    await expect(id).toHaveValue(member.id)
    await expect(page.getByText('Nova Leaf').last()).toBeVisible()
    await expect(page.getByRole('complementary', { name: /risk/i })).toBeVisible()
    await expectRefused(page, 'Activate', 'All the fields are required !!')

    await id.fill('')
    await id.pressSequentially('1b234567890123')
    await expect(id).toHaveValue('1234567890')
    await expect(page.getByText(nobody)).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Activate|Upgrade)$/ })).toHaveCount(0)

    await id.fill('')
    await expectRefused(page, 'Activate', 'All the fields are required !!')

    await id.fill(member.id)
    await choose(page, 1)
    const amount = page.getByLabel('Amount ($)')
    if (await amount.count()) {
      await amount.fill('123456789012')
      await expect(amount).toHaveValue('1234567890')
    }
    await expectRefused(page, 'Activate', 'Transction Password is required')
  })
}

test('a Robot package is activated, upgraded for the difference and refunded', async ({
  ownPage: page,
  member,
  operator,
  server,
}) => {
  await giveFunds(server, operator, member, '1000')
  await page.goto('/RobotActivation')
  await choose(page, 1)
  await expect(page.getByText('Balance before$1,000.00')).toBeVisible()
  await password(page).fill('notthis1')
  await confirmBy(page, 'Activate')
  await expect(page.getByText('Invalid transaction password.')).toHaveCount(2)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(password(page)).toBeFocused()
  await password(page).fill(member.transactionPassword)
  await confirmBy(page, 'Activate')
  await expect(page.getByText('Successfully Activated...!!!')).toBeVisible()
  const receipt = page.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Return by')
  await expect(receipt.getByRole('link', { name: 'Open the lessons' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Upgrade', exact: true })).toBeVisible()
  const afterFirst = await fundsOf(server, member)

  await choose(page, 2)
  await password(page).fill(member.transactionPassword)
  await expect(page.getByText('An upgrade costs the difference')).toBeVisible()
  await confirmBy(page, 'Upgrade')
  await expect(page.getByText('Successfully Upgrade...!!!')).toBeVisible()
  const afterSecond = await fundsOf(server, member)
  expect(Number(afterSecond)).toBeLessThan(Number(afterFirst))

  const refunds = page.getByRole('region', { name: 'Packages you can return' })
  await expect(refunds.getByRole('listitem')).toHaveCount(2)
  await expect(refunds.getByText(/^Return by .*, 14 days left$/)).toHaveCount(2)
  await expect(refunds.getByText('Return the upgrade first')).toHaveCount(1)
  await expect(refunds.getByRole('button')).toHaveCount(1)
  await refunds.getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Return package' }).click()
  await expect(page.getByText('Transction Password is required').first()).toBeVisible()
  await expect(dialog.getByLabel('Transaction Password', { exact: true })).toBeFocused()
  await password(page).last().fill(member.transactionPassword)
  await dialog.getByRole('button', { name: 'Return package' }).click()
  await expect(page.getByText('Refunded Successfully')).toBeVisible()
  await expect(refunds.getByRole('listitem')).toHaveCount(1)
  expect(await fundsOf(server, member)).toBe(afterFirst)

  await page.goto('/RobotActivationHistory')
  const rows = page.getByRole('row')
  await expect(rows.nth(1)).toContainText(/Upgrade, refunded \d/)
  await expect(rows.nth(1).locator('s')).toBeVisible()
  await expect(rows.nth(2)).toContainText(/Activation, cooling off until \d/)
})

test('Forex is invested for somebody else, within the range of its package', async ({
  ownPage: page,
  member,
  operator,
  server,
}) => {
  const other = await newMember(server, 'Otto Other')
  await giveFunds(server, operator, member, '2000', 'FOREXFUNDS')
  await page.goto('/ForexActivation')
  await page.getByLabel('User Id').fill(other.id)
  await expect(page.getByText('Otto Other')).toBeVisible()
  await choose(page, 1)
  const range = await page.getByText(/^From \$.* to \$.*, whole dollars\.$/).textContent()
  const least = /\$([\d,]+)/.exec(range ?? '')?.[1]?.replace(',', '') ?? ''
  await page.getByLabel('Amount ($)').fill('1')
  await password(page).fill(member.transactionPassword)
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expect(page.getByLabel('Amount ($)')).toHaveAccessibleDescription(/Enter an amount from/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByLabel('Amount ($)')).toHaveValue('1')

  await page.getByLabel('Amount ($)').fill(least)
  await expect(page.getByText(/^No cooling-off/)).toHaveCount(2)
  await confirmBy(page, 'Activate')
  await expect(page.getByText('Successfully Activated...!!!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Receipt' })).toContainText('Ends on')
  expect(Number(await fundsOf(server, member))).toBe(2000 - Number(least))
})
