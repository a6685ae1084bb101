import { useQuery } from '@tanstack/react-query'
import { sessionsOptions } from '@/lib/queries/sessions.ts'
import { useSession } from '@/lib/session.ts'

/** The session of an operator who looks at a member's account; null in a member's own. */
export function useVisit() {
  const { userId, mustChange } = useSession()
  const { data } = useQuery({
    ...sessionsOptions(userId),
    // The server refuses it until the password is changed; only the member has to do that.
    enabled: !mustChange,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return undefined // not known yet
  const current = data.find((session) => session.current)
  return current?.kind === 'visit' ? current : null
}
