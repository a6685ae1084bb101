import { Alert, Button } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { errorText } from '@/lib/api/answer.ts'
import { requestIdOf } from '@/lib/errors.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './ErrorNotice.module.css'

interface ErrorNoticeProps {
  error: unknown
  /** The text if the server gave none. */
  text: string
  onRetry: () => void
}

/** An error of a read, with a button that retries it. */
export function ErrorNotice({ error, text, onRetry }: ErrorNoticeProps) {
  const { actions, table } = useStrings()
  const requestId = requestIdOf(error)
  return (
    <Alert
      variant="default"
      icon={<CircleAlert size={20} aria-hidden="true" className={styles.icon} />}
      title={errorText(error, text)}
    >
      {requestId && (
        <p className={styles.request}>
          {table.requestId} <code>{requestId}</code>
        </p>
      )}
      <Button variant="default" size="xs" onClick={onRetry}>
        {actions.retry}
      </Button>
    </Alert>
  )
}
