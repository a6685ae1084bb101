import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import type { Act } from '@/components/console/ActDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { type Column, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { adopt, dismiss, type FoundRow, type Hold as HoldData, settle } from './holdActs.tsx'
import styles from './Payouts.module.css'
import { holdOptions } from './queries.ts'

interface HoldProps {
  onAsk: (act: Act) => void
}

/**
 * Why payouts are held after a restore, the transfers that the chain knows, and the operators'
 * acts.
 */
export function Hold({ onAsk }: HoldProps) {
  const strings = useConsoleStrings()
  const { payouts: t } = strings
  const mayPay = useMay()('money')
  const { data, error, refetch, isFetching } = useQuery(holdOptions)
  if (error) {
    return <ErrorNotice error={error} text={t.hold.failed} onRetry={() => void refetch()} />
  }
  if (!data?.held) return null
  const actions = (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={isFetching}
        onClick={() => void refetch()}
      >
        {t.hold.again}
      </Button>
      {mayPay && data.state === 'held' && (
        <Button size="compact-sm" onClick={() => onAsk(settle(data, strings))}>
          {t.steps.settle.confirm}
        </Button>
      )}
      {mayPay && data.state === 'settled' && (
        <Button size="compact-sm" onClick={() => onAsk(adopt(data, strings))}>
          {t.steps.adopt.confirm}
        </Button>
      )}
    </Group>
  )
  return (
    <Card title={t.hold.title} actions={actions}>
      <p className={styles.trouble}>{serverText(data.detail, data)}</p>
      <p className={styles.hint}>{t.hold.next[data.state]}</p>
      <Facts facts={factsOf(data, t)} />
      {data.state === 'settled' && (
        <DataTable
          label={t.hold.found}
          dense
          columns={columns(data, strings, mayPay ? onAsk : undefined)}
          rows={data.found}
          rowKey={({ n }) => n}
          empty={t.hold.nothing}
        />
      )}
    </Card>
  )
}

const factsOf = (data: HoldData, { hold: t }: ConsoleStrings['payouts']) =>
  [
    [t.state, t.states[data.state]],
    [t.since, data.since === '' ? '–' : formatMoment(data.since, zone())],
    [
      t.nonces,
      data.unknown
        ? t.unknown
        : t.counts({
            final: data.final,
            latest: data.latest,
            pending: data.pending,
            known: data.known,
          }),
    ],
    ...(data.until > 0 ? ([[t.until, String(data.until)]] as const) : []),
    [t.waiting, String(data.waiting.length)],
    ...(data.firstBy ? ([[t.firstBy, data.firstBy]] as const) : []),
  ] as const

function columns(
  data: HoldData,
  strings: ConsoleStrings,
  onAsk?: (act: Act) => void,
): Column<FoundRow>[] {
  const { payouts: t } = strings
  const verdict = (f: FoundRow) => {
    if (f.dismissed) return t.hold.dismissed({ by: f.dismissed })
    if (f.withdrawal === '') return t.hold.fitsNone
    return f.own ? t.hold.paid : t.hold.mayHavePaid
  }
  const act: Column<FoundRow> = {
    header: t.hold.decide,
    cell: (f) =>
      onAsk &&
      f.withdrawal !== '' &&
      !f.own &&
      f.dismissed === '' && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onAsk(dismiss(data.id, f, strings))}
        >
          {t.steps.dismiss.confirm}
        </Button>
      ),
  }
  return [
    textColumn(t.withdrawal, (f) => f.withdrawal || '–'),
    moneyColumn(t.amount, (f) => f.amount),
    textColumn(t.hold.verdict, verdict, { narrow: true }),
    act,
    textColumn(t.hold.to, (f) => f.to, { clip: true }),
    textColumn(t.hold.from, (f) => f.from, { clip: true }),
    textColumn(t.hash, (f) => f.hash, { clip: true }),
    numberColumn(t.hold.block, (f) => f.block),
  ]
}
