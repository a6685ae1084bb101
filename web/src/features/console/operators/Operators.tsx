import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CardTitle } from '@/components/Card.tsx'
import { useAct } from '@/components/console/ActDialog.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import {
  type Column,
  dateColumn,
  numberColumn,
  statusColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { useMe } from '@/lib/operator/queries/me.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import styles from './Operators.module.css'
import { actsOn, decide, invite, type Operator, type Proposal } from './operatorActs.ts'
import { operatorsOptions, proposalsOptions } from './queries.ts'

/** The operators, and proposed changes of them, which need two owners. */
export function Component() {
  const strings = useConsoleStrings()
  const title = useRouteTitle()
  const may = useMay()
  const { ask, dialog } = useAct()
  const owner = may('operators')
  const { data, error, refetch } = useQuery(operatorsOptions)
  return (
    <>
      <PageHeader
        title={title}
        actions={
          owner && (
            <Button onClick={() => ask(invite(strings))}>{strings.console.operators.invite}</Button>
          )
        }
      />
      {error ? (
        <ErrorNotice error={error} text={strings.table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          columns={operatorColumns(strings, owner, ask)}
          rows={data?.rows}
          rowKey={({ id }) => id}
          empty={strings.console.operators.empty}
        />
      )}
      {owner && <Proposals operators={data?.rows ?? []} />}
      {dialog}
    </>
  )
}

type Ask = ReturnType<typeof useAct>['ask']

function operatorColumns(strings: ConsoleStrings, owner: boolean, ask: Ask): Column<Operator>[] {
  const { operators: t, roles } = strings.console
  const columns: Column<Operator>[] = [
    textColumn(t.name, (o) => o.name),
    numberColumn(t.number, (o) => o.id),
    textColumn(t.email, (o) => o.email),
    textColumn(t.role, (o) => roles[o.role]),
    statusColumn(
      t.state,
      (o) => (o.ended ? t.ended : o.password && o.factorSet ? t.ready : t.invited),
      (o) => !o.ended && o.password,
    ),
    dateColumn(t.seen, (o) => o.seen),
  ]
  if (!owner) return columns
  const cell = (row: Operator) =>
    row.ended === '' && (
      <Group gap="xs" wrap="nowrap">
        {actsOn(row, strings).map((act) => (
          <Button key={act.confirm} size="compact-sm" variant="default" onClick={() => ask(act)}>
            {act.confirm}
          </Button>
        ))}
      </Group>
    )
  return [...columns, { header: t.actions, cell }]
}

/** Changes of role that wait for another owner. */
function Proposals({ operators }: { operators: readonly Operator[] }) {
  const strings = useConsoleStrings()
  const { operators: t } = strings.console
  const { ask, dialog } = useAct()
  const { data: me } = useMe()
  const { data, error, refetch } = useQuery(proposalsOptions)
  const nameOf = (id: string) => operators.find((o) => o.id === id)?.name ?? id
  return (
    <section aria-labelledby="proposals">
      <h2 id="proposals" className={styles.heading}>
        {t.proposals}
      </h2>
      {error ? (
        <ErrorNotice error={error} text={strings.table.failed} onRetry={() => void refetch()} />
      ) : (
        <CardTitle value={t.proposals}>
          <DataTable
            label={t.proposals}
            columns={proposalColumns(strings, nameOf, me?.id ?? '', ask)}
            rows={data?.rows}
            rowKey={({ id }) => id}
            empty={t.noProposals}
          />
        </CardTitle>
      )}
      {dialog}
    </section>
  )
}

function proposalColumns(
  strings: ConsoleStrings,
  nameOf: (id: string) => string,
  me: string,
  ask: Ask,
): Column<Proposal>[] {
  const { operators: t, roles } = strings.console
  const roleOf = (role: string) => named(roles, role)
  return [
    textColumn(t.name, (p) => nameOf(p.operator)),
    textColumn(t.wanted, (p) => (p.kind === 'end' ? t.end : roleOf(p.wanted))),
    textColumn(t.was, (p) => roleOf(p.was)),
    textColumn(t.reason, (p) => p.reason),
    textColumn(t.by, (p) => nameOf(p.by)),
    dateColumn(t.at, (p) => p.at),
    textColumn(t.state, (p) => t.states[p.state]),
    {
      header: t.actions,
      cell: (row) =>
        row.state === 'waiting' && (
          <Group gap="xs" wrap="nowrap">
            {(row.by === me ? [false] : [true, false]).map((approve) => {
              const act = decide(row, approve, row.by === me, strings)
              return (
                <Button
                  key={act.confirm}
                  size="compact-sm"
                  variant="default"
                  onClick={() => ask(act)}
                >
                  {act.confirm}
                </Button>
              )
            })}
          </Group>
        ),
    },
  ]
}
