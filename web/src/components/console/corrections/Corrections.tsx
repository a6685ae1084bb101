import { useQuery } from '@tanstack/react-query'
import { correctionsOptions } from '@/lib/operator/queries/corrections.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { ErrorNotice } from '../../ErrorNotice.tsx'
import { type Column, moneyColumn, textColumn } from '../../table/columns.tsx'
import { DataTable } from '../../table/DataTable.tsx'
import type { Act } from '../ActDialog.tsx'
import { choiceColumn, outcomeColumns } from '../decisions.tsx'
import layout from '../layout.module.css'
import { type Correction, decideCorrection, effectOf } from './correctionActs.tsx'

interface CorrectionsProps {
  /** Limits the lists to this member; without corrections nothing is shown then. */
  uid?: string
  ask: (act: Act) => void
}

/** Corrections of balances: those that wait for a second operator, and the latest decisions. */
export function Corrections({ uid = '', ask }: CorrectionsProps) {
  const strings = useConsoleStrings()
  const { corrections: t, table } = strings
  const may = useMay()('money')
  const { data, error, refetch } = useQuery(correctionsOptions(uid))
  if (error) {
    return <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
  }
  const whose = uid ? [] : [textColumn<Correction>(t.member, (c) => c.uid)]
  return (
    <>
      {(uid === '' || (data?.waiting.length ?? 0) > 0) && (
        <>
          <h2 className={layout.heading}>{t.waiting}</h2>
          <DataTable<Correction>
            label={t.waiting}
            columns={[
              ...whose,
              ...facts(strings),
              ...(may ? [choiceColumn(strings, ask, decideCorrection)] : []),
            ]}
            rows={data?.waiting}
            rowKey={({ id }) => id}
            empty={t.noWaiting}
          />
        </>
      )}
      {data && data.decided.length > 0 && (
        <>
          <h2 className={layout.heading}>{t.decided}</h2>
          <DataTable<Correction>
            label={t.decided}
            columns={[
              ...whose,
              ...facts(strings),
              ...outcomeColumns<Correction>(strings),
              textColumn(t.answer, (c) => c.answer),
            ]}
            rows={data.decided}
            rowKey={({ id }) => id}
            empty={t.noWaiting}
          />
        </>
      )}
    </>
  )
}

function facts(strings: ConsoleStrings): Column<Correction>[] {
  const { corrections: t, trading, console } = strings
  return [
    textColumn(t.wallet, (c) => named(console.codes, c.wallet)),
    textColumn(t.direction, (c) => effectOf(c, strings)),
    moneyColumn(t.amount, (c) => c.amount),
    textColumn(t.why, (c) => c.reason),
    textColumn(trading.proposedBy, (c) => c.proposedBy),
  ]
}
