import { Inbox } from 'lucide-react'
import { Link } from 'react-router'
import { useToDo } from '@/lib/operator/queries/toDo.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './ToDoMark.module.css'

/** How much waits for this operator, on every screen; it leads to what that is. */
export function ToDoMark() {
  const { corrections: t } = useConsoleStrings()
  const { data } = useToDo()
  // Nobody is told of nothing, nor of what could not be asked: the home says that.
  if (!data || data.mine === 0) return null
  const words = t.waits({ count: data.mine })
  return (
    <Link to="/admin" className={styles.mark} aria-label={words} title={words}>
      <Inbox size={18} aria-hidden="true" />
      <span aria-hidden="true">{data.mine}</span>
    </Link>
  )
}
