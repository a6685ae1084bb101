import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import {
  type Column,
  dateColumn,
  moneyColumn,
  numberColumn,
  statusColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { Pager } from '@/components/table/Pager.tsx'
import { firstOf, useTableState } from '@/components/table/state.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Approved } from './Approved.tsx'
import { Batch } from './Batch.tsx'
import { Hold } from './Hold.tsx'
import type { BatchRow } from './payoutActs.tsx'
import { batchesOptions, chainOptions } from './queries.ts'
import { Sweep } from './Sweep.tsx'
import { Wallet } from './Wallet.tsx'

/** Approved withdrawals and the batches that pay them. */
export function Component() {
  const strings = useConsoleStrings()
  const { payouts: t, table } = strings
  const { state, setPage, setSize } = useTableState([])
  const [chosen, setChosen] = useState(0)
  const { ask, dialog } = useAct()
  const chain = useQuery(chainOptions)
  const { page, size } = state
  const batches = useQuery(batchesOptions(page, size))
  const rows = batches.data?.rows
  const selected = rows?.find(({ id }) => id === chosen) ?? rows?.[0]
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      <div className={layout.page}>
        <Hold onAsk={ask} />
        <Wallet query={chain} />
        <Sweep />
        <Approved hot={Boolean(chain.data?.hot_wallet)} onAsk={ask} />
        {batches.error ? (
          <ErrorNotice
            error={batches.error}
            text={table.failed}
            onRetry={() => void batches.refetch()}
          />
        ) : (
          <DataTable
            label={t.batches}
            columns={columns(strings)}
            rows={rows}
            rowKey={({ id }) => id}
            firstNumber={firstOf(batches.data ?? state)}
            stale={batches.isPlaceholderData}
            empty={t.empty}
            selected={selected?.id}
            onSelect={({ id }) => setChosen(id)}
          />
        )}
        {batches.data && batches.data.total > 0 && (
          <Pager
            page={page}
            size={size}
            total={batches.data.total}
            shown={batches.data}
            onPage={setPage}
            onSize={setSize}
          />
        )}
        {selected && <Batch id={selected.id} chain={chain.data} onAsk={ask} />}
      </div>
      {dialog}
    </>
  )
}

const columns = ({ payouts: t }: ConsoleStrings): Column<BatchRow>[] => [
  numberColumn(t.batch, (b) => b.id),
  statusColumn(
    t.state,
    (b) => t.batchStates[b.state],
    (b) => (b.state === 'done' ? true : b.state === 'cancelled' ? false : undefined),
  ),
  textColumn(t.way, (b) => t.ways[b.way]),
  numberColumn(t.count, (b) => b.payouts),
  moneyColumn(t.total, (b) => b.total),
  textColumn(t.proposedBy, (b) => b.proposed_by),
  dateColumn(t.proposedAt, (b) => b.proposed_at),
  textColumn(t.approvedBy, (b) => b.approved_by),
  dateColumn(t.endedAt, (b) => b.ended_at),
]
