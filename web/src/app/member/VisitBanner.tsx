import { Eye } from 'lucide-react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './VisitBanner.module.css'
import { useVisit } from './visit.ts'

/** Says all the time that an operator is looking at a member's account, and why. */
export function VisitBanner() {
  const { memberShell } = useStrings()
  const visit = useVisit()
  if (!visit) return null
  return (
    <p role="status" className={styles.banner}>
      <Eye size={18} aria-hidden="true" />
      {memberShell.visit({ reason: visit.reason })}
    </p>
  )
}
