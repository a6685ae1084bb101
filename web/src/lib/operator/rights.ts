import { useMe } from './queries/me.ts'

export type Role = 'owner' | 'finance' | 'support' | 'compliance' | 'readonly'
export const ROLES: readonly Role[] = ['owner', 'finance', 'support', 'compliance', 'readonly']

/**
 * What the console shows to whom. The server has the last word about every call
 * (internal/api/httpx/roles.go); this only spares people what would be refused.
 */
const RIGHTS = {
  money: ['owner', 'finance'],
  compliance: ['owner', 'compliance'],
  support: ['owner', 'support', 'compliance'],
  visit: ['owner', 'support', 'compliance'],
  note: ['owner', 'finance', 'support', 'compliance'],
  reports: ['owner', 'finance', 'compliance', 'readonly'],
  audit: ['owner', 'compliance', 'readonly'],
  operators: ['owner'],
  everybody: ROLES,
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof RIGHTS

export const has = (role: string | undefined, right: Right): boolean =>
  RIGHTS[right].some((known) => known === role)

/** Whether the signed-in operator has a right; false while the role is unknown. */
export function useMay(): (right: Right) => boolean {
  const { data } = useMe()
  return (right) => has(data?.role, right)
}
