import { fileURLToPath } from 'node:url'
import { test } from './fixtures.ts'
import { register } from './people.ts'
import { MODES, WIDTHS } from './widths.ts'

const PAGES = {
  landing: '/',
  login: '/Login',
  'coming-soon': '/ComingSoon',
  'not-found': '/no-such-page',
}
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))

for (const [name, path] of Object.entries(PAGES)) {
  for (const width of WIDTHS) {
    for (const mode of MODES) {
      test(`${name} at ${width} px, ${mode}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.evaluate(() => document.fonts.ready)
        await page.screenshot({ path: `${folder}${name}-${width}-${mode}.png`, fullPage: true })
      })
    }
  }
}

/** Every member screen that exists; its picture is named after its address. */
const MEMBER_PAGES = [
  '/dashboard',
  '/MyReferral',
  '/FundRequestECurrency',
  '/FundrequestBank',
  '/FundTransfer',
  '/RobotActivation',
  '/Upgrade',
  '/ForexActivation',
  '/CryptoActivation',
  '/WithdrawalRequest',
  '/ProfileSetting',
  '/ChangePassword',
  '/TransactionPassword',
  '/ECurrencyDetails',
  '/Support',
]

for (const path of MEMBER_PAGES) {
  for (const width of WIDTHS) {
    for (const mode of MODES) {
      test(`${path} at ${width} px, ${mode}`, async ({ memberPage: page, server }) => {
        await register(server.url, server.demo.member.id, 'Left', 'Ada Lovelace')
        await register(server.url, server.demo.member.id, 'Right', 'Grace Hopper')
        await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path, { waitUntil: 'networkidle' })
        await page.evaluate(() => document.fonts.ready)
        const name = path.slice(1).toLowerCase()
        await page.screenshot({ path: `${folder}${name}-${width}-${mode}.png`, fullPage: true })
      })
    }
  }
}

test('open member menu on a phone', async ({ memberPage: page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/MyReferral')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.screenshot({ path: `${folder}member-menu-360-light.png` })
})

test('open menu on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.screenshot({ path: `${folder}menu-360-light.png` })
})

test('what the README shows', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/')
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${folder}readme.png` })
})
