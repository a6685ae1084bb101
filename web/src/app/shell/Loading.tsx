import { Leaves } from '@/components/Leaves.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Loading.module.css'

/** Shown while the code of the first screen loads. */
export function Loading() {
  const { shell } = useStrings()
  return (
    <main className={styles.page} aria-busy="true">
      <div role="status" aria-label={shell.loading} className={styles.mark}>
        <Leaves size={48} />
      </div>
    </main>
  )
}
