import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useSession } from '@/lib/session.ts'

/** The session of an operator who looks at a member's account; null in a member's own. */
export function useVisit() {
  const { userId, mustChange } = useSession()
  const { data } = useQuery({
    queryKey: ['sessions', userId],
    // Who has to change the password first may not ask, and is no visitor.
    enabled: !mustChange,
    queryFn: () => answerOf(api.GET('/api/sessions')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!data) return undefined // not known yet
  const current = data.data[0]?.find((session) => session.current)
  return current?.kind === 'visit' ? current : null
}
