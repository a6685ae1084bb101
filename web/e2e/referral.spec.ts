import { expectAccessible } from './checks.ts'
import { useSession as signIn } from './fixtures.ts'
import { mailed } from './mail.ts'
import { approveFunds, confirmBy, expect, newHash, newMember, test } from './money.ts'

test('a member who joins by a left link and activates is active in the left leg', async ({
  page,
  operator,
  server,
  context,
}) => {
  const sponsor = await newMember(server, 'Sara Sponsor')
  const theirs = await context.newPage()
  await signIn(theirs, sponsor.session)
  await theirs.goto(`${server.url}/Tree_View`)
  const link = theirs.getByRole('link', { name: 'Left Referral Link' })
  await page.goto((await link.getAttribute('href')) ?? '')

  const field = (label: string) => page.getByLabel(label, { exact: true })
  const email = `referral${Date.now()}@demo.example`
  await field('User Name').fill('Rita Referred')
  await field('Mobile').fill('9876543210')
  await field('Email').fill(email)
  await field('Password').fill('leaf-and-stem')
  await field('Confirm Password').fill('leaf-and-stem')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/WelcomePage\?userid=\d{6,}$/)
  const uid = new URL(page.url()).searchParams.get('userid') ?? ''
  const mailedPassword = await mailed(server.url, email, /Transaction password: (\S+)/)

  await page.getByRole('article').getByRole('link', { name: 'Login' }).click()
  await field('User ID').fill(uid)
  await field('Password').fill('leaf-and-stem')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.goto('/TransactionPassword')
  const transactionPassword = 'Mine4me7'
  await field('Old Transaction Password').fill(mailedPassword)
  await field('New Transaction Password').fill(transactionPassword)
  await field('Confirm New Transaction Password').fill(transactionPassword)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Transction Password Update Successfully')).toBeVisible()
  await theirs.reload()
  const left = theirs.getByRole('treeitem').nth(1)
  const right = theirs.getByRole('treeitem').nth(2)
  await expect(left).toHaveAttribute('aria-label', `Rita Referred, ${uid}, In-Active`)

  await page.goto('/FundRequestECurrency')
  await page.getByLabel('Fund Type').selectOption('Robot Fund')
  await page.getByLabel('Amount ($)').fill('500')
  await page.getByLabel('TRX number').fill(newHash())
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Successfully Requested...!!!')).toBeVisible()
  await approveFunds(server, operator, uid)
  await page.goto('/RobotActivation')
  await page.getByRole('button', { name: 'Notices, 1 new' }).click()
  const notices = page.getByRole('dialog', { name: 'Notices' })
  await expect(notices).toContainText(
    'Your fund request was approved: $500.00 added to your Robot Fund.',
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Notices', exact: true })).toBeFocused()
  await expect(page.getByText('Balance before$500.00')).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Package' }).getByRole('radio').first().click()
  await field('Transaction Password').fill(transactionPassword)
  await confirmBy(page, 'Activate')
  await expect(page.getByText('Successfully Activated...!!!')).toBeVisible()

  await theirs.reload()
  await expect(left).toHaveAttribute(
    'aria-label',
    new RegExp(`^Rita Referred, ${uid}, (Active|Cooling off)$`),
  )
  await expect(right).not.toHaveAttribute('aria-label', new RegExp(uid))
  await theirs.close()
})
