import { useQuery } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './VisitBanner.module.css'

/** Says all the time that an operator is looking at a member's account, and why. */
export function VisitBanner() {
  const { memberShell } = useStrings()
  const { userId, mustChange } = useSession()
  const { data } = useQuery({
    queryKey: ['sessions', userId],
    // Who has to change the password first may not ask, and is no visitor.
    enabled: !mustChange,
    queryFn: () => answerOf(api.GET('/api/sessions')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const current = data?.data[0]?.find((session) => session.current)
  if (current?.kind !== 'visit') return null
  return (
    <p role="status" className={styles.banner}>
      <Eye size={18} aria-hidden="true" />
      {memberShell.visit(current.reason)}
    </p>
  )
}
