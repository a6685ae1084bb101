import { Alert } from '@mantine/core'
import { OctagonAlert } from 'lucide-react'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Frozen.module.css'

/**
 * The alarm that payments are frozen: the finding, its time, and what to do. The console cannot
 * unfreeze them.
 */
export function Frozen({ why }: { why: string }) {
  const { frozen: t } = useConsoleStrings()
  return (
    <Alert
      variant="default"
      role="alert"
      title={t.title}
      icon={<OctagonAlert size={20} aria-hidden="true" />}
      className={styles.frozen ?? ''}
    >
      <p className={styles.why}>{why}</p>
      <ol className={styles.steps}>
        {Object.values(t.steps).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Alert>
  )
}
