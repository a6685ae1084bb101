import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { type Column, dateColumn, moneyColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { useTableState } from '@/components/table/state.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'
import { type RecentRow as Row, recentOptions } from './queries.ts'

/** Addresses can be edited: any other order is ignored. */
const SORTS: Record<1 | 2, readonly string[]> = {
  1: ['Edate', 'uid'],
  2: ['Edate', 'uid', 'amount'],
}

/** The newest of the team: 1 registrations, 2 activations and top-ups. */
export function Recent({ type }: { type: 1 | 2 }) {
  const { dashboard: t, table } = useMemberStrings()
  const { userId } = useSession()
  const { state, setSort } = useTableState([], type === 1 ? 'joined-' : 'bought-')
  const sort = SORTS[type].includes(state.sort.replace(/^-/, '')) ? state.sort : ''
  const { data, error, refetch, isPlaceholderData } = useQuery(recentOptions(userId, type, sort))
  const title = type === 1 ? t.registrations : t.activations
  return (
    <Card title={title}>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={title}
          serial={type === 1 ? t.serialRegistrations : t.serialActivations}
          rows={data?.rows}
          stale={isPlaceholderData}
          keepHead
          sort={sort}
          onSort={setSort}
          rowKey={({ uid, Edate }, index) => `${uid} ${Edate} ${index}`}
          empty={type === 1 ? t.noRegistrations : t.noActivations}
          columns={[
            textColumn<Row>(t.userId, (row) => row.uid, { sort: 'uid' }),
            textColumn<Row>(t.name, (row) => row.f_name),
            ...(type === 2 ? [amountColumn(t)] : []),
            dateColumn<Row>(t.date, (row) => row.Edate, { sort: 'Edate' }),
          ]}
        />
      )}
    </Card>
  )
}

/** A refunded purchase is struck out: the member paid nothing in the end. */
const amountColumn = (t: MemberStrings['dashboard']): Column<Row> => {
  const column = moneyColumn<Row>(t.amount, (row) => row.amount, { sort: 'amount' })
  return {
    ...column,
    cell: (row) =>
      row.refunded ? (
        <span className={styles.refunded}>
          <s>{column.cell(row)}</s> {t.refunded}
        </span>
      ) : (
        column.cell(row)
      ),
  }
}
