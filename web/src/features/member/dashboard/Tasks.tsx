import {
  ChevronRight,
  CircleCheck,
  Clock,
  HandCoins,
  type LucideIcon,
  ShieldAlert,
  TriangleAlert,
  Undo2,
} from 'lucide-react'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { useAccount } from '@/lib/queries/account.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import type { Overview } from './queries.ts'
import styles from './Tasks.module.css'
import { inProgress, type Task, toDo } from './toDo.ts'

const ICONS: Record<Task['kind'], LucideIcon> = {
  claim: HandCoins,
  rejected: TriangleAlert,
  security: ShieldAlert,
  refund: Undo2,
  moving: Clock,
}

/** The member's tasks, and the money in progress. */
export function Tasks({ overview }: { overview: Overview }) {
  const s = useMemberStrings()
  const { dashboard: t } = s
  const { data: account } = useAccount('/dashboard')
  const tasks = toDo(overview, account, s)
  return (
    <div className={styles.pair}>
      <Card title={t.toDo}>
        {tasks.length === 0 ? (
          <p className={styles.done}>
            <CircleCheck size={18} aria-hidden="true" />
            {t.allDone}
          </p>
        ) : (
          <TaskList tasks={tasks} />
        )}
      </Card>
      <InProgress overview={overview} />
    </div>
  )
}

/** The money in progress, if there is any. */
export function InProgress({ overview }: { overview: Overview }) {
  const s = useMemberStrings()
  const moving = inProgress(overview, s)
  if (moving.length === 0) return null
  return (
    <Card title={s.dashboard.inProgress}>
      <TaskList tasks={moving} />
    </Card>
  )
}

function TaskList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <ul className={styles.list}>
      {tasks.map(({ kind, text, detail, to }, index) => {
        const Icon = ICONS[kind]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two requests can have the same text
          <li key={`${text} ${index}`}>
            <Link to={to} className={styles.task} data-kind={kind}>
              <Icon size={18} aria-hidden="true" />
              <span>
                {text}
                {detail && (
                  <span className={styles.detail} dir="auto">
                    {detail}
                  </span>
                )}
              </span>
              <ChevronRight size={16} aria-hidden="true" className={styles.arrow} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
