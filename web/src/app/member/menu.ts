import {
  ArrowUpFromLine,
  Bitcoin,
  Bot,
  ChartCandlestick,
  HandCoins,
  LayoutDashboard,
  LifeBuoy,
  type LucideIcon,
  Network,
  Settings,
  WalletMinimal,
} from 'lucide-react'
import type { MemberPath } from '@/lib/paths.ts'
import type { Strings } from '@/lib/strings/index.ts'

/** One entry of the menu: a link, or a section with several. */
export interface MenuSection {
  name: Exclude<keyof Strings['sections'], 'logOut'>
  icon: LucideIcon
  paths: readonly [MemberPath, ...MemberPath[]]
}

/** The member menu, in its order. Log Out follows it. */
export const menu: readonly MenuSection[] = [
  { name: 'dashboard', icon: LayoutDashboard, paths: ['/dashboard'] },
  {
    name: 'fund',
    icon: WalletMinimal,
    paths: ['/FundRequestECurrency', '/FundTransfer', '/FundReceived'],
  },
  {
    name: 'robot',
    icon: Bot,
    paths: ['/RobotActivation', '/RobotActivationHistory', '/RobotDownlineActivationHistory'],
  },
  {
    name: 'crypto',
    icon: Bitcoin,
    paths: [
      '/CryptoActivation',
      '/CryptoActHistory',
      '/CryptoDownlineActivationHistory',
      '/WithdrawalClaimCrypto',
    ],
  },
  {
    name: 'forex',
    icon: ChartCandlestick,
    paths: [
      '/ForexActivation',
      '/ForexActHistory',
      '/ForexDownlineActivationHistory',
      '/WithdrawalClaim',
    ],
  },
  {
    name: 'team',
    icon: Network,
    paths: ['/MyReferral', '/LevelDetails', '/MyTeam', '/DirectLegBusiness', '/Tree_View'],
  },
  {
    name: 'incomes',
    icon: HandCoins,
    paths: [
      '/LevelIncome',
      '/RoiIncomeForex',
      '/RoiLevelIncomeForex',
      '/RoiIncomeCrypto',
      '/RoiLevelIncomeCrypto',
      '/MatchingIncome',
      '/SalaryIncome',
      '/RoyaltyIncome',
      '/Userrank',
      '/UserReward',
    ],
  },
  { name: 'withdrawal', icon: ArrowUpFromLine, paths: ['/WithdrawalRequest', '/WithdrawLog'] },
  {
    name: 'setting',
    icon: Settings,
    paths: [
      '/ProfileSetting',
      '/ChangePassword',
      '/TransactionPassword',
      '/ECurrencyDetails',
      '/Security',
    ],
  },
  { name: 'support', icon: LifeBuoy, paths: ['/Support'] },
]

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The section of an address; undefined if the menu does not list it. */
export function sectionOf(pathname: string): MenuSection | undefined {
  return menu.find(({ paths }) => paths.some((path) => isSame(path, pathname)))
}
