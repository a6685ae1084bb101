import { Button } from '@mantine/core'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { type Column, textColumn } from '../table/columns.tsx'
import type { Act } from './ActDialog.tsx'
import layout from './layout.module.css'

/** A proposal that needs two operators. */
interface Decided {
  mayApprove: boolean
  state: keyof ConsoleStrings['trading']['states']
  decidedBy: string
  alone: string
}

/** Buttons to decide. The operator who proposed it may only withdraw it. */
export const choiceColumn = <Row extends Decided>(
  strings: ConsoleStrings,
  ask: (act: Act) => void,
  decide: (row: Row, approve: boolean, strings: ConsoleStrings) => Act,
): Column<Row> => ({
  header: strings.trading.decision,
  cell: (row) => (
    <div className={layout.acts}>
      {(row.mayApprove ? [true, false] : [false]).map((approve) => {
        const act = decide(row, approve, strings)
        return (
          <Button
            key={act.confirm}
            size="compact-sm"
            {...(!approve && { variant: 'default' })}
            onClick={() => ask(act)}
          >
            {act.confirm}
          </Button>
        )
      })}
    </div>
  ),
})

/** The decision and the operator who took it. */
export function outcomeColumns<Row extends Decided>({
  trading: t,
  closes,
}: ConsoleStrings): Column<Row>[] {
  return [
    {
      header: t.state,
      cell: ({ state }) => <StatusBadge word={t.states[state]} good={state === 'approved'} />,
    },
    textColumn(t.decidedBy, (row) => row.decidedBy),
    textColumn(closes.aloneHead, ({ alone }) => named(closes.alone, alone)),
  ]
}
