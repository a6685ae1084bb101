import { Button } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { Lookup } from '@/lib/queries/sponsor.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './UserIdField.module.css'

interface LookupFailedProps extends Pick<Lookup, 'retry' | 'refusal'> {
  /** The field shows the error already. */
  said?: boolean
}

/** The error of a look-up of an id, with a button that retries it. */
export function LookupFailed({ retry, refusal, said = false }: LookupFailedProps) {
  const { lookup: t, actions } = useStrings()
  return (
    <span className={styles.bad}>
      {!said && (
        <>
          <CircleAlert size={16} aria-hidden="true" />
          {refusal || t.failed}
        </>
      )}
      {retry && (
        <Button variant="default" size="compact-sm" onClick={retry}>
          {actions.retry}
        </Button>
      )}
    </span>
  )
}
