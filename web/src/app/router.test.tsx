import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { session } from '@/lib/api/session.ts'
import { adminDoors, adminPaths, memberPaths, publicPaths, titleOf } from '@/lib/paths.ts'
import { english as en } from '@/lib/strings/index.ts'
import { menu } from './member/menu.ts'
import { routesFrom } from './router.tsx'
import { builtScreens } from './screens.ts'
import { memberLinks, siteLinks } from './shell/links.ts'

// The kit is large: it is loaded before the first test that needs it.
beforeAll(async () => {
  await Promise.all([import('./kit/Kit.tsx'), import('@/features/site/auth/Login.tsx')])
}, 60_000)

beforeEach(() => session.clear())

function open(path: string) {
  const [table, options] = routesFrom(path)
  const router = createMemoryRouter(table, { ...options, initialEntries: [path] })
  render(<RouterProvider router={router} />)
  return router
}

/** A page may set its title in an effect, which runs after its heading is rendered. */
const expectTab = (title: string) => waitFor(() => expect(document.title).toContain(title))

const heading = () => screen.findByRole('heading', { level: 1 })

/** The exact address. */
const PUBLIC = '/ /Login /Signup /ForgotPassword /ConfirmEmail /WelcomePage /AdminLogin'
const PROTECTED = `/dashboard, /RobotActivation, /Upgrade, /MyReferral, /DirectLegBusiness, /LevelDetails,
  /MyTeam, /DirectIncome, /RewardIncome, /RoiIncome, /RoiLevelIncome, /UserReward, /FundrequestBank,
  /FundRequestECurrency, /FundTransfer, /FundReceived, /WithdrawalRequest, /WithdrawLog,
  /ProfileSetting, /ChangePassword, /ECurrencyDetails, /Support, /LevelIncome, /MatchingIncome,
  /Tree_View, /SalaryIncome, /RoyaltyIncome, /Userrank, /TransactionPassword, /RoiIncomeForex,
  /RoiLevelIncomeForex, /RoiIncomeCrypto, /RoiLevelIncomeCrypto, /ForexActivation,
  /ForexActHistory, /ForexDownlineActivationHistory, /CryptoActivation, /CryptoActHistory,
  /CryptoDownlineActivationHistory, /RobotActivationHistory, /RobotDownlineActivationHistory,
  /WithdrawalClaim, /WithdrawalClaimCrypto`

describe('the table of screens', () => {
  it('has every public address, and those we added', () => {
    expect(publicPaths).toEqual([...PUBLIC.split(' '), '/Bifolia', '/ComingSoon'])
  })

  it('has every protected address, each once, and those we added', () => {
    expect(memberPaths).toEqual([...PROTECTED.split(/,\s*/), '/Security', '/Notices', '/Lessons'])
    expect(memberPaths).toHaveLength(46)
  })

  it('shows no screen at an address that is not in it', () => {
    const known: string[] = [...publicPaths, ...memberPaths, ...adminPaths, ...adminDoors]
    expect(Object.keys(builtScreens).filter((path) => !known.includes(path))).toEqual([])
  })

  it('leads from a public address to those of members and operators, and to none that is not', async () => {
    const router = open('/ComingSoon')
    await heading()
    await act(() => router.navigate('/DashBoard'))
    await waitFor(() => expect(router.state.location.pathname).toBe('/Login'))
    await act(() => router.navigate('/nowhere'))
    expect(await heading()).toHaveTextContent(en.notFound.heading)
    await act(() => router.navigate('/admin/login'))
    await waitFor(() => expect(document.title).toContain(en.adminTitles['/admin/login']))
  })

  it.each(publicPaths)('opens %s under its title', async (path) => {
    open(path)
    expect(await heading()).not.toHaveTextContent(en.notFound.heading)
    await expectTab(titleOf(path, en))
    await expectTab(en.brand.name)
  })

  it.each(['/login', '/LOGIN', '/login/'])('finds %s, whatever the case', async (path) => {
    open(path)
    expect(await heading()).toHaveTextContent(en.login.heading)
  })

  it.each(memberPaths)('sends who is not signed in from %s to the login', async (path) => {
    const router = open(path)
    expect(await heading()).toHaveTextContent(en.login.heading)
    expect(router.state.location.pathname).toBe('/Login')
  })

  it.each(['true', 1, {}])('does not take %j for being signed in', async (isAuth) => {
    session.set({ isAuth: isAuth as boolean })
    const router = open('/dashboard')
    expect(await heading()).toHaveTextContent(en.login.heading)
    expect(router.state.location.pathname).toBe('/Login')
  })
})

describe('the member menu', () => {
  it('has the sections and links that were asked for, in order', () => {
    const lines = menu.map(({ name, paths }) => `${en.sections[name]}: ${paths.join(' ')}`)
    expect(lines).toEqual([
      'Dashboard: /dashboard',
      'Fund: /FundRequestECurrency /FundTransfer /FundReceived',
      'Robot Activation: /RobotActivation /RobotActivationHistory /RobotDownlineActivationHistory',
      'Crypto Activation: /CryptoActivation /CryptoActHistory /CryptoDownlineActivationHistory /WithdrawalClaimCrypto',
      'Forex Activation: /ForexActivation /ForexActHistory /ForexDownlineActivationHistory /WithdrawalClaim',
      'My Team: /MyReferral /LevelDetails /MyTeam /DirectLegBusiness /Tree_View',
      'Incomes: /LevelIncome /RoiIncomeForex /RoiLevelIncomeForex /RoiIncomeCrypto /RoiLevelIncomeCrypto /MatchingIncome /SalaryIncome /RoyaltyIncome /Userrank /UserReward',
      'Withdrawal: /WithdrawalRequest /WithdrawLog',
      'Setting: /ProfileSetting /ChangePassword /TransactionPassword /ECurrencyDetails /Security',
      'Support: /Support',
    ])
  })
})

describe('an unknown path', () => {
  it('says so and offers a way home', async () => {
    open('/no/such/page')
    expect(await heading()).toHaveTextContent(en.notFound.heading)
    await expectTab('Page not found · Bifolia')
    await userEvent.click(screen.getByRole('link', { name: en.notFound.home }))
    expect(await heading()).toHaveTextContent(en.brand.hero.heading)
  })
})

describe('links', () => {
  const paths: readonly string[] = [
    ...publicPaths,
    ...en.brand.pages.map(({ slug }) => `/info/${slug}`),
  ]
  const anchors = ['Services', 'About', 'Faq', 'Contact']
  const isAlive = (to: string) => {
    const { pathname, hash } = new URL(to, 'http://site')
    return paths.includes(pathname) && (hash === '' || anchors.includes(hash.slice(1)))
  }
  const { footer, packages } = en.brand
  const ofBrand = [
    ...footer.groups.flatMap(({ links }) => links),
    footer.app_store,
    footer.play_store,
    packages.view_more,
  ].map(({ href }) => ({ to: href }))

  it.each([...siteLinks, ...memberLinks, ...ofBrand])('$to leads somewhere', ({ to }) => {
    expect(isAlive(to)).toBe(true)
  })

  it('finds the sections that links name', async () => {
    open('/')
    await heading()
    expect(anchors.filter((id) => document.getElementById(id) === null)).toEqual([])
  })

  it.each(en.brand.pages)('opens the plain page $slug', async ({ slug, title }) => {
    open(`/info/${slug}`)
    expect(await heading()).toHaveTextContent(title)
    await expectTab(title)
  })

  it('says so where there is no such plain page', async () => {
    open('/info/nothing')
    expect(await heading()).toHaveTextContent(en.notFound.heading)
  })

  it('in the header are those of the site, in order', () => {
    expect(siteLinks.map(({ to, label }) => [label(en.links), to])).toEqual([
      ['Home', '/'],
      ['Services', '/#Services'],
      ['About', '/#About'],
      ['Faq', '/#Faq'],
      ['Contact Us', '/#Contact'],
    ])
  })
})

describe('navigation', () => {
  it('moves focus to the new page', async () => {
    open('/')
    const bar = within(screen.getByRole('banner'))
    await userEvent.click(bar.getAllByRole('link', { name: 'Login' })[0] as HTMLElement)
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus())
  })

  it('moves focus to the section a link names', async () => {
    const router = open('/ComingSoon')
    await userEvent.click(await screen.findByRole('link', { name: en.comingSoon.about }))
    expect(router.state.location.hash).toBe('#About')
    await waitFor(() =>
      expect(screen.getByRole('region', { name: en.brand.about.heading })).toHaveFocus(),
    )
  })

  it('survives a fragment that does not decode', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const router = open('/ComingSoon')
    await heading()
    await act(() => router.navigate('/#%'))
    expect(await heading()).toHaveTextContent(en.brand.hero.heading)
  })

  it('leaves focus alone when the page is first opened', async () => {
    open('/')
    await heading()
    expect(document.body).toHaveFocus()
  })
})
