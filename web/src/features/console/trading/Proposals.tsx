import type { Act } from '@/components/console/ActDialog.tsx'
import { choiceColumn, outcomeColumns } from '@/components/console/decisions.tsx'
import layout from '@/components/console/layout.module.css'
import { type Column, dateColumn, moneyColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Evidence } from './Evidence.tsx'
import { decide, kindOf, type Proposal, Warning } from './proposalActs.tsx'
import { subjectOf } from './tradingActs.ts'

interface ProposalsProps {
  waiting: Proposal[] | undefined
  decided: Proposal[] | undefined
  ask: (act: Act) => void
}

/** Bookings that wait for a second operator, and the latest decisions. */
export function Proposals({ waiting, decided, ask }: ProposalsProps) {
  const strings = useConsoleStrings()
  const { trading: t } = strings
  const may = useMay()('money')
  return (
    <>
      <h2 className={layout.heading}>{t.waiting}</h2>
      <DataTable<Proposal>
        label={t.waiting}
        columns={[...facts(strings), ...(may ? [choiceColumn(strings, ask, decide)] : [])]}
        rows={waiting}
        rowKey={({ id }) => id}
        empty={t.noWaiting}
      />
      {decided && decided.length > 0 && (
        <>
          <h2 className={layout.heading}>{t.decided}</h2>
          <DataTable<Proposal>
            label={t.decided}
            columns={[
              ...facts(strings),
              ...outcomeColumns<Proposal>(strings),
              textColumn(strings.closes.reason, (p) => p.reason),
            ]}
            rows={decided}
            rowKey={({ id }) => id}
            empty={t.noWaiting}
          />
        </>
      )}
    </>
  )
}

function facts(strings: ConsoleStrings): Column<Proposal>[] {
  const { trading: t } = strings
  return [
    textColumn(t.kind, (p) => kindOf(p, strings)),
    textColumn(t.subject, (p) => subjectOf(p, strings)),
    moneyColumn(t.amount, (p) => p.amount),
    dateColumn(t.day, (p) => p.day),
    textColumn(t.reference, (p) => p.reference),
    { header: t.warning, cell: (p) => (p.warning ? <Warning of={p} /> : '–') },
    { header: t.evidence, cell: ({ evidence }) => <Evidence hash={evidence} /> },
    textColumn(t.proposedBy, (p) => p.proposedBy),
  ]
}
