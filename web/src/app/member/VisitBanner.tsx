import { Eye } from 'lucide-react'
import { useVisit } from '@/lib/queries/visit.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './VisitBanner.module.css'

/** The notice that an operator is visiting a member's account, with the reason. */
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
