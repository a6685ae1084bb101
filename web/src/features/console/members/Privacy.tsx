import { Button, Group, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { exactMoney } from '@/lib/money.ts'
import { accountName } from '@/lib/operator/names.ts'
import { useMe } from '@/lib/operator/queries/me.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Member.module.css'
import type { View } from './memberActs.ts'
import { decide, type Erasure, exportData, hold, propose } from './privacyActs.ts'
import { privacyOptions } from './queries.ts'

type State = components['schemas']['PrivacyView']

/**
 * The member's personal data: its export, a legal hold, and its erasure, which needs two operators.
 */
export function Privacy({ view }: { view: View }) {
  const strings = useConsoleStrings()
  const { memberDetails: t } = strings
  const { ask, dialog } = useAct()
  const { uid } = view.person
  const { data, error, refetch } = useQuery(privacyOptions(uid))
  const acts = data ? actsOf(view, data, strings) : []
  return (
    <Card title={t.privacy}>
      {error && <ErrorNotice error={error} text={t.privacyFailed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={80} />}
      {data && <PrivacyState state={data} />}
      {data?.erasures.map((row) => (
        <Proposed key={row.id} view={view} row={row} ask={ask} />
      ))}
      <Group mt="sm">
        {acts.map((act) => (
          <Button key={act.confirm} variant="default" onClick={() => ask(act)}>
            {act.confirm}
          </Button>
        ))}
      </Group>
      {dialog}
    </Card>
  )
}

function actsOf(
  view: View,
  { erased, obstacles, erasures }: State,
  strings: ConsoleStrings,
): Act[] {
  const waits = erasures.some(({ state }) => state === 'waiting')
  return [
    exportData(view, strings),
    ...(erased === '' ? [hold(view, strings)] : []),
    ...(erased === '' && !waits && obstacles.length === 0 ? [propose(view, strings)] : []),
  ]
}

function PrivacyState({ state: { erased, obstacles } }: { state: State }) {
  const { memberDetails: t, console } = useConsoleStrings()
  if (erased !== '') return <p>{t.erasedAt({ at: formatMoment(erased, zone()) })}</p>
  if (obstacles.length === 0) return <p>{t.mayErase}</p>
  return (
    <>
      <p>{t.inTheWay}</p>
      <ul className={styles.list}>
        {obstacles.map(({ kind, count, text, account, amount }) => (
          <li key={kind + text}>
            {t.obstacles[kind]}
            {count > 1 && `: ${count}`}
            {kind === 'hold' && <span className={layout.muted}> ({text})</span>}
            {kind === 'balance' && `: ${accountName(account, console)}, ${exactMoney(amount)}`}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ProposedProps {
  view: View
  row: Erasure
  ask: (act: Act) => void
}

function Proposed({ view, row, ask }: ProposedProps) {
  const strings = useConsoleStrings()
  const { memberDetails: t } = strings
  const { data: me } = useMe()
  const own = me?.id === row.by
  const acts =
    row.state === 'waiting' && me
      ? [
          ...(own ? [] : [decide(view, row, true, own, strings)]),
          decide(view, row, false, own, strings),
        ]
      : []
  return (
    <section aria-label={t.erasure({ id: row.id })} className={styles.note}>
      <Facts
        facts={[
          [t.erasure({ id: row.id }), t.states[row.state]],
          [t.proposedBy, `${row.by} · ${formatMoment(row.at, zone())}`],
          ...(row.decidedBy
            ? ([
                [t.decidedBy, `${row.decidedBy} · ${formatMoment(row.decidedAt, zone())}`],
              ] as const)
            : []),
          [t.reason, row.reason],
          [t.digest, row.digest],
        ]}
      />
      <Group>
        {acts.map((act) => (
          <Button key={act.confirm} size="compact-sm" variant="default" onClick={() => ask(act)}>
            {act.confirm}
          </Button>
        ))}
      </Group>
    </section>
  )
}
