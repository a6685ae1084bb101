import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { termColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { Place } from '@/components/table/state.ts'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Close.module.css'
import { isProposed, stepOf } from './next.ts'
import { CloseRows, Overview, type RowsShown } from './Overview.tsx'
import { Progress } from './Progress.tsx'

type Next = components['schemas']['NextDay']
type Summary = components['schemas']['CloseSummary']

/** The next day to close: its preview, its proposal, and the commit by another operator. */
export function NextDay({ next }: { next: Next }) {
  const strings = useConsoleStrings()
  const { closes: t, actions } = strings
  const money = useMay()('money')
  const { ask, dialog } = useAct()
  const { busy, preview, look, shown, of } = usePreview(next.day)
  if (next.day === '') return <p>{t.nothing}</p>

  const proposed = isProposed(next)
  const step = preview && stepOf(next, preview.digest)
  return (
    <>
      <Card title={t.next({ day: formatDay(next.day) })}>
        <Facts facts={factsOf(next, t)} />
        {money && (
          <div className={layout.actsBelow}>
            <Button variant="default" disabled={busy} onClick={() => void look()}>
              {busy ? actions.processing : t.preview}
            </Button>
            {preview && step === 'propose' && (
              <Button onClick={() => ask(propose(preview, strings))}>{t.propose}</Button>
            )}
            {preview && step === 'commit' && (
              <Button onClick={() => ask(commit(preview, next, strings))}>{t.commit}</Button>
            )}
          </div>
        )}
        <Undecided count={preview?.waiting ?? next.waiting} />
        {busy && <Progress />}
        {proposed && money && !preview && <p className={layout.hint}>{t.lookFirst}</p>}
        {proposed && preview && preview.digest !== next.digest && (
          <p className={layout.hint}>{t.differs}</p>
        )}
        {next.scheduled && <p className={layout.hint}>{t.reminds}</p>}
      </Card>
      {preview && <Preview summary={preview} />}
      {preview && <Overview look={preview} />}
      {preview && (
        <CloseRows
          rows={preview.list}
          found={preview.found}
          shown={shown}
          of={of}
          stale={busy}
          onShow={(next) => void look(next)}
        />
      )}
      {dialog}
    </>
  )
}

/** Warns of proposed bookings that would miss the day. */
function Undecided({ count }: { count: number }) {
  const { closes: t } = useConsoleStrings()
  if (count === 0) return null
  return (
    <Alert
      variant="default"
      role="status"
      title={t.undecided({ count })}
      className={styles.undecided ?? ''}
    >
      {t.undecidedText} <Link to="/admin/trading">{t.undecidedLink}</Link>
    </Alert>
  )
}

/** The preview of a day; dropped when the next day changes. */
function usePreview(day: string) {
  const { closes: t } = useConsoleStrings()
  const [preview, setPreview] = useState<Summary | null>(null)
  const [shown, setShown] = useState<RowsShown>({ only: '', page: 1, size: 25 })
  const [of, setOf] = useState<Place>(shown)
  const { busy, submit } = useSubmit((asked: RowsShown, key: string) => {
    const { only, ...page } = asked
    const body = { day, ...page, ...(only && { only }) }
    return answerOf(operatorApi.POST('/api/operator/close/preview', { body, ...underKey(key) }))
  })
  /** Every page comes from its own preview: the server keeps none. */
  const look = async (next: RowsShown = shown) => {
    setShown(next)
    try {
      const answer = await submit(next)
      if (!answer) return
      setPreview(answer.data)
      setOf(next)
    } catch (error) {
      toast.error(errorText(error, t.previewFailed))
    }
  }
  return { busy, look, shown, of, preview: preview?.day === day ? preview : null }
}

function factsOf(next: Next, t: ConsoleStrings['closes']) {
  return [
    [t.state, next.over ? <StatusBadge key="state" word={t.over} good /> : t.running] as const,
    ...(next.due && !next.over ? [] : [[t.from, formatMoment(next.from, zone())] as const]), // a demo need not wait
    ...(!isProposed(next)
      ? []
      : ([
          [t.proposedBy, next.proposed_by],
          [t.proposedAt, formatMoment(next.proposed_at, zone())],
          [
            t.digest,
            <span key="digest" className={layout.digest}>
              {next.digest}
            </span>,
          ],
        ] as const)),
  ]
}

function Preview({ summary }: { summary: Summary }) {
  const { closes: t, console } = useConsoleStrings()
  const pool = (name: string) =>
    name === 'RESERVE' ? console.money.classes.RESERVE : named(console.codes, name)
  return (
    <div className={layout.columns}>
      <Card title={t.makes}>
        <Facts
          facts={[
            [t.rows, summary.rows],
            [t.events, summary.events],
            [t.sales, summary.sales],
            [t.changes, summary.changes],
            [t.plan, summary.plan],
            [
              t.digest,
              <span key="digest" className={layout.digest}>
                {summary.digest}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={t.pools}>
        <Facts
          facts={Object.entries(summary.pools).map(
            ([name, sum]) => [pool(name), <Amount key={name} value={sum} />] as const,
          )}
        />
      </Card>
      {summary.refused.length > 0 && (
        <Card title={t.refused}>
          <DataTable<Summary['refused'][number]>
            label={t.refused}
            columns={[textColumn(t.event, (e) => e.id), termColumn(t.reason, (e) => e.reason)]}
            rows={summary.refused}
            rowKey={({ id }) => id}
            empty={t.refused}
          />
        </Card>
      )}
    </div>
  )
}

const bodyOf = ({ day, digest }: Summary) => ({ body: { day, digest } })

const propose = (summary: Summary, { closes: t }: ConsoleStrings): Act => ({
  title: t.proposeTitle({ day: formatDay(summary.day) }),
  text: t.proposeText,
  facts: [
    [t.paid, <Amount key="paid" value={summary.paid} />],
    [t.digest, summary.digest],
  ],
  confirm: t.propose,
  done: t.proposed,
  call: (_, key) =>
    answerOf(
      operatorApi.POST('/api/operator/close/propose', { ...bodyOf(summary), ...underKey(key) }),
    ),
})

const commit = (summary: Summary, next: Next, { closes: t }: ConsoleStrings): Act => ({
  title: t.commitTitle({ day: formatDay(summary.day) }),
  text: t.commitText,
  facts: [
    [t.proposedBy, next.proposed_by],
    [t.paid, <Amount key="paid" value={summary.paid} />],
    [t.digest, summary.digest],
  ],
  confirm: t.commit,
  done: t.committed,
  progress: <Progress />,
  call: (_, key) =>
    answerOf(
      operatorApi.POST('/api/operator/close/commit', { ...bodyOf(summary), ...underKey(key) }),
    ),
})
