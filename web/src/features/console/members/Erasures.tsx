import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import type { Erasure } from './privacyActs.ts'
import { erasuresOptions } from './queries.ts'

/**
 * Erasures that wait for a second operator, who decides on the member's page. Nothing is shown
 * without any.
 */
export function Erasures() {
  const { memberDetails: t, members } = useConsoleStrings()
  const { data } = useQuery(erasuresOptions)
  if (!data || data.total === 0) return null
  return (
    <Card title={t.erasuresWaiting}>
      <DataTable<Erasure>
        label={t.erasuresWaiting}
        columns={[
          {
            header: t.userId,
            cell: ({ uid }) => <Link to={`/admin/member?uid=${uid}`}>{uid}</Link>,
          },
          dateColumn(members.at, (e) => e.at),
          textColumn(t.proposedBy, (e) => e.by),
          textColumn(t.reason, (e) => e.reason),
        ]}
        rows={data.rows}
        rowKey={({ id }) => id}
        empty=""
      />
    </Card>
  )
}
