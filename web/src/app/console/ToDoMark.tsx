import { Inbox } from 'lucide-react'
import { Link } from 'react-router'
import { useToDo } from '@/lib/operator/queries/toDo.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './ToDoMark.module.css'

/** The number of decisions that wait for this operator, on every screen; a link to the list. */
export function ToDoMark() {
  const { corrections: t } = useConsoleStrings()
  const { data } = useToDo()
  // Nothing is shown for zero, or if the counts could not be read: the home page shows that error.
  if (!data || data.mine === 0) return null
  const words = t.waits({ count: data.mine })
  return (
    <Link to="/admin" className={styles.mark} aria-label={words} title={words}>
      <Inbox size={18} aria-hidden="true" />
      <span aria-hidden="true">{data.mine}</span>
    </Link>
  )
}
