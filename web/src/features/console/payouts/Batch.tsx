import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import type { Act } from '@/components/console/ActDialog.tsx'
import { BulkBar, useChosen } from '@/components/console/queue/Bulk.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import {
  type Column,
  dateColumn,
  moneyColumn,
  statusColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Payouts.module.css'
import {
  type Batch as BatchOf,
  batchActs,
  byHandOf,
  type Chain,
  confirmPayouts,
  type PayoutRow,
  payoutActs,
} from './payoutActs.tsx'
import { batchOptions } from './queries.ts'

interface BatchProps {
  id: number
  chain: Chain | undefined
  onAsk: (act: Act) => void
}

/** One batch: its payouts, its progress and its acts. */
export function Batch({ id, chain, onAsk }: BatchProps) {
  const strings = useConsoleStrings()
  const { payouts: t } = strings
  const mayPay = useMay()('money')
  const { data, error, refetch } = useQuery(batchOptions(id))
  const acts = mayPay && data ? batchActs(data, strings) : []
  const rows = data?.rows ?? []
  const { chosen, column, all, none } = useChosen(rows, strings)
  const several = mayPay && data?.way === 'manual' && chain?.configured === false && hasSent(rows)
  return (
    <Card title={t.batchNumber({ id })}>
      {error && <ErrorNotice error={error} text={t.batchFailed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={200} />}
      {data && (
        <>
          <Facts facts={factsOf(data, t)} />
          <p className={styles.hint}>{t.hints[data.way][data.state]}</p>
          {data.byHand.operators.length > 0 && <p className={styles.hint}>{t.byHandMost}</p>}
          <div className={styles.acts}>
            {acts.map((act) => (
              <Button key={act.confirm} variant="default" onClick={() => onAsk(act)}>
                {act.confirm}
              </Button>
            ))}
          </div>
          {several && (
            <BulkBar
              rows={rows}
              chosen={chosen}
              acts={[confirmPayouts(data, chain, strings)]}
              onAll={all}
              onAsking={() => {}}
              onDone={none}
            />
          )}
          <DataTable
            label={t.payoutsOf({ id })}
            dense
            columns={[
              ...(several ? [column] : []),
              ...columns(
                strings,
                (row) => (mayPay ? payoutActs(data, row, chain, strings) : []),
                onAsk,
              ),
            ]}
            rows={data.rows}
            rowKey={(row) => row.id}
            empty={t.empty}
          />
        </>
      )}
    </Card>
  )
}

const hasSent = (rows: readonly PayoutRow[]) => rows.some(({ state }) => state === 'sent')

const when = (name: string, at: string) =>
  [name, at && formatMoment(at, zone())].filter(Boolean).join(' · ')

const factsOf = (b: BatchOf, t: ConsoleStrings['payouts']) =>
  [
    [t.way, t.ways[b.way]],
    [t.state, t.batchStates[b.state]],
    [t.total, <Amount key="total" value={b.total} />],
    [t.byHand, byHandOf(b, t)],
    [t.proposedBy, when(b.proposed_by, b.proposed_at)],
    ...(b.approved_by ? ([[t.approvedBy, when(b.approved_by, b.approved_at)]] as const) : []),
    ...(b.alone ? ([[t.alone, b.alone]] as const) : []),
    ...(b.exported_at ? ([[t.exportedAt, when('', b.exported_at)]] as const) : []),
  ] as const

const BAD: readonly PayoutRow['state'][] = ['failed', 'returned', 'cancelled']

const columns = (
  { payouts: t }: ConsoleStrings,
  actsOf: (row: PayoutRow) => Act[],
  onAsk: (act: Act) => void,
): Column<PayoutRow>[] => [
  textColumn(t.withdrawal, (p) => p.id),
  statusColumn(
    t.state,
    (p) => t.states[p.state],
    (p) => (p.state === 'confirmed' ? true : BAD.includes(p.state) ? false : undefined),
  ),
  moneyColumn(t.amount, (p) => p.amount),
  {
    header: t.actions,
    slot: 'action',
    cell: (row) => (
      <span className={styles.acts}>
        {actsOf(row).map((act) => (
          <Button key={act.confirm} size="compact-xs" variant="default" onClick={() => onAsk(act)}>
            {act.confirm}
          </Button>
        ))}
      </span>
    ),
  },
  textColumn(t.member, (p) => p.uid),
  textColumn(t.address, (p) => p.address, { clip: true }),
  textColumn(t.hash, (p) => p.hash, { clip: true }),
  {
    header: t.note,
    cell: ({ note }) => (note ? <span className={styles.note}>{note}</span> : '–'),
  },
  dateColumn(t.sentAt, (p) => p.sent_at),
]
