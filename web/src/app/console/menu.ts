import {
  ArrowUpFromLine,
  CalendarCheck,
  ChartCandlestick,
  ChartColumn,
  HandCoins,
  Home,
  KeyRound,
  Landmark,
  LifeBuoy,
  LockKeyhole,
  type LucideIcon,
  MonitorSmartphone,
  Palette,
  ScrollText,
  SearchX,
  Send,
  Settings2,
  ShieldUser,
  UsersRound,
  WalletMinimal,
} from 'lucide-react'
import type { Right } from '@/lib/operator/rights.ts'
import type { AdminPath } from '@/lib/paths.ts'

interface MenuEntry {
  path: AdminPath
  icon: LucideIcon
  /** The right that is needed to see it. */
  right: Right
}

/** The console's menu, in its order. */
export const menu: readonly MenuEntry[] = [
  { path: '/admin', icon: Home, right: 'everybody' },
  { path: '/admin/funds', icon: WalletMinimal, right: 'everybody' },
  { path: '/admin/unmatched', icon: SearchX, right: 'money' },
  { path: '/admin/withdrawals', icon: ArrowUpFromLine, right: 'everybody' },
  { path: '/admin/payouts', icon: Send, right: 'everybody' },
  { path: '/admin/claims', icon: HandCoins, right: 'everybody' },
  { path: '/admin/tickets', icon: LifeBuoy, right: 'everybody' },
  { path: '/admin/close', icon: CalendarCheck, right: 'everybody' },
  { path: '/admin/trading', icon: ChartCandlestick, right: 'money' },
  { path: '/admin/members', icon: UsersRound, right: 'everybody' },
  { path: '/admin/reports', icon: ChartColumn, right: 'reports' },
  { path: '/admin/plan', icon: Settings2, right: 'everybody' },
  { path: '/admin/brand', icon: Palette, right: 'everybody' },
  { path: '/admin/settings', icon: Landmark, right: 'everybody' },
  { path: '/admin/operators', icon: ShieldUser, right: 'everybody' },
  { path: '/admin/audit', icon: ScrollText, right: 'audit' },
  { path: '/admin/password', icon: LockKeyhole, right: 'everybody' },
  { path: '/admin/passkeys', icon: KeyRound, right: 'everybody' },
  { path: '/admin/sessions', icon: MonitorSmartphone, right: 'everybody' },
]
