import { Button, Drawer, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { exactMoney } from '@/lib/money.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { incomeWhyOptions } from './queries.ts'
import styles from './WhyDrawer.module.css'
import { type Fact, sectionsOf, sentenceOf, stepsOf, technicalOf, type Why } from './why.tsx'

/** The button that opens the explanation of one income. */
export function WhyButton({ row, onClick }: { row: number; onClick: () => void }) {
  const { why } = useStrings()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-haspopup="dialog"
      aria-label={`${why.title}: ${row}`}
      onClick={onClick}
    >
      <CircleHelp size={16} aria-hidden="true" />
    </Button>
  )
}

interface WhyDrawerProps {
  /** The number of the income; null while the drawer is closed. */
  row: number | null
  onClose: () => void
}

/** The server's explanation of one income. */
export function WhyDrawer({ row, onClose }: WhyDrawerProps) {
  const { why, actions } = useStrings()
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      title={why.title}
      position="right"
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {row !== null && <Explanation row={row} />}
    </Drawer>
  )
}

function Explanation({ row }: { row: number }) {
  const strings = useStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(incomeWhyOptions(userId, row))
  if (error) {
    return <ErrorNotice error={error} text={strings.why.failed} onRetry={() => void refetch()} />
  }
  if (!data) return <Loader aria-label={strings.table.loading} />
  return <Calculation why={data} />
}

function Calculation({ why }: { why: Why }) {
  const strings = useStrings()
  return (
    <>
      <p className={styles.kind}>{strings.why.kinds[why.t]}</p>
      <p className={styles.paid}>{exactMoney(why.paid)}</p>
      <p className={styles.sentence}>{sentenceOf(why, strings)}</p>
      <Facts title={strings.why.calculation} facts={stepsOf(why, strings)} />
      {sectionsOf(why, strings).map(({ title, facts, note }) => (
        <Facts key={title} title={title} facts={facts} note={note} />
      ))}
      <details className={styles.technical}>
        <summary>{strings.why.technical}</summary>
        <Facts {...technicalOf(why, strings)} />
      </details>
    </>
  )
}

interface FactsProps {
  title: string
  facts: readonly Fact[]
  note?: string | undefined
}

function Facts({ title, facts, note }: FactsProps) {
  if (facts.length === 0 && !note) return null
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {note && <p className={styles.note}>{note}</p>}
    </section>
  )
}
