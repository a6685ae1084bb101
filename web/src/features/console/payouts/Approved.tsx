import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import type { Act } from '@/components/console/ActDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { type Column, dateColumn, moneyColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoney, plus } from '@/lib/money.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Payouts.module.css'
import { propose } from './payoutActs.tsx'
import { approvedOptions } from './queries.ts'

type Row = components['schemas']['OperatorWithdrawalRow']

/** As many as fit into a batch, oldest first. */
interface ApprovedProps {
  /** The hot wallet is configured, so the server can pay. */
  hot: boolean
  onAsk: (act: Act) => void
}

/** Approved withdrawals that are in no batch yet. */
export function Approved({ hot, onAsk }: ApprovedProps) {
  const strings = useConsoleStrings()
  const { payouts: t, table } = strings
  const mayPay = useMay()('money')
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const { data, error, refetch } = useQuery(approvedOptions)
  const rows = data?.rows.filter(({ batch }) => batch === '')
  // Rows that have left the list are no longer selected.
  const meant = rows?.filter(({ id }) => ticked.has(id)) ?? []
  const ids = meant.map(({ id }) => id)
  const sum = plus('0', ...meant.map(({ amount }) => amount))
  const tick = (id: string) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  const box: Column<Row> = {
    header: t.choose,
    cell: ({ id }) => (
      <Checkbox
        aria-label={t.chooseOne({ id })}
        checked={ticked.has(id)}
        onChange={() => tick(id)}
      />
    ),
  }
  const make = mayPay && rows && rows.length > 0 && (
    <Button size="compact-sm" onClick={() => onAsk(propose(ids, sum, hot, strings))}>
      {meant.length > 0 ? t.makeOf({ count: meant.length, sum: formatMoney(sum) }) : t.make}
    </Button>
  )
  return (
    <Card title={t.approved} actions={make}>
      <p className={styles.hint}>{t.approvedText}</p>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable<Row>
          label={t.approved}
          columns={[
            textColumn(t.withdrawal, (w) => w.id),
            ...(mayPay ? [box] : []),
            textColumn(t.member, (w) => w.uid),
            moneyColumn(t.amount, (w) => w.amount),
            textColumn(t.address, (w) => w.address, { clip: true }),
            dateColumn(t.ready, (w) => w.ready),
          ]}
          rows={rows}
          rowKey={({ id }) => id}
          empty={t.noApproved}
        />
      )}
    </Card>
  )
}
