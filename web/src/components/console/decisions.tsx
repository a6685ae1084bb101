import { Button } from '@mantine/core'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { StatusBadge } from '../StatusBadge.tsx'
import { type Column, textColumn } from '../table/columns.tsx'
import type { Act } from './ActDialog.tsx'
import layout from './layout.module.css'

/** What takes two operators, as the lists of it show it. */
interface Decided {
  mayApprove: boolean
  state: keyof ConsoleStrings['trading']['states']
  decidedBy: string
  alone: string
}

/** The second operator's choice; who proposed it may only withdraw it. */
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

/** What became of it, and by whom. */
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
