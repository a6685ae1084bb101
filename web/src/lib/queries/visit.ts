import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session.ts'
import { sessionsOptions } from './sessions.ts'

/** The session of an operator who visits a member's account; null in a member's own session. */
export function useVisit() {
  const { userId, mustChange } = useSession()
  const { data } = useQuery({
    ...sessionsOptions(userId),
    // The server refuses the call until the temporary password is changed; a visit has none.
    enabled: !mustChange,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return undefined // not known yet
  const current = data.find((session) => session.current)
  return current?.kind === 'visit' ? current : null
}
