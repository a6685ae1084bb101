import { type LucideIcon, UserCheck, UserMinus, UserPlus, UserRoundCog } from 'lucide-react'
import type { Place } from '@/lib/queries/binaryTree.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

export type Status = 'active' | 'cooling' | 'inactive' | 'free'

const STATUSES: Record<Place['IdColor'], Status> = {
  Green: 'active',
  Orange: 'cooling',
  Red: 'inactive',
  '': 'free',
}

export const statusOf = ({ IdColor }: Place): Status => STATUSES[IdColor]

export const statusIcons: Record<Status, LucideIcon> = {
  active: UserCheck,
  cooling: UserRoundCog,
  inactive: UserMinus,
  free: UserPlus,
}

export const statusWord = (status: Status, { tree: t }: MemberStrings) => t.statuses[status]
