import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { duplicatesOptions } from './queries.ts'

type Alike = components['schemas']['AlikeRow']

/** Other members who may be the same person, and the data they share. */
export function Duplicates({ uid }: { uid: string }) {
  const { memberDetails: t, table } = useConsoleStrings()
  const { data, error, refetch } = useQuery(duplicatesOptions(uid))
  return (
    <Card title={t.duplicates}>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <>
          {(data?.total ?? 0) > 0 && <p className={layout.hint}>{t.duplicatesText}</p>}
          <DataTable<Alike>
            label={t.duplicates}
            columns={[
              {
                header: t.userId,
                cell: (a) => <Link to={`/admin/member?uid=${a.uid}`}>{a.uid}</Link>,
              },
              textColumn(t.name, (a) => a.name),
              textColumn(t.shared, (a) => a.ways.map((way) => t.ways[way]).join(', ')),
              dateColumn(t.joined, (a) => a.joined),
            ]}
            rows={data?.rows}
            rowKey={(a) => a.uid}
            empty={t.noDuplicates}
          />
        </>
      )}
    </Card>
  )
}
