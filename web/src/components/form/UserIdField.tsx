import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import type { useLookup } from '@/lib/queries/sponsor.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Digits } from './Digits.tsx'
import { LookupFailed } from './LookupFailed.tsx'
import styles from './UserIdField.module.css'

interface UserIdFieldProps {
  label: string
  most: number
  /** The result of `useLookup` for the id. */
  found: ReturnType<typeof useLookup>
  /** The error if nobody has the id. */
  missing: string
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
}

/** The id of a member with the member's name below it. */
export function UserIdField({ found, missing, ...props }: UserIdFieldProps) {
  return (
    <div>
      <Digits {...props} autoComplete="off" />
      <p role="status" className={styles.answer}>
        {props.error !== missing && <Answer found={found} missing={missing} error={props.error} />}
      </p>
    </div>
  )
}

function Answer({ found, missing, error }: Pick<UserIdFieldProps, 'found' | 'missing' | 'error'>) {
  const { lookup: t } = useStrings()
  if (found.person) {
    return (
      <span className={styles.good}>
        <CircleCheck size={16} aria-hidden="true" />
        <bdi>{found.person.name}</bdi>
      </span>
    )
  }
  if (found.failed)
    return <LookupFailed retry={found.retry} refusal={found.refusal} said={error === t.failed} />
  if (!found.missing) return null
  return (
    <span className={styles.bad}>
      <CircleAlert size={16} aria-hidden="true" />
      {missing}
    </span>
  )
}
