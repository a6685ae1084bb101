import { useState } from 'react'
import { PageHeader } from '@/components/PageHeader.tsx'
import { textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { FilterBar } from '@/components/table/FilterBar.tsx'
import { dateFilters, type Filter, initialValue } from '@/components/table/filters.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'

const filtersOf = (strings: MemberStrings): Filter[] => {
  const { incomes: t } = strings
  return [
    {
      kind: 'select',
      name: 'type',
      label: t.incomeType,
      options: [
        { value: '0', label: t.levelEducation },
        { value: '1', label: t.levelRobot },
        { value: '2', label: t.levelForex },
      ],
    },
    ...dateFilters(strings),
  ]
}

const nothing = (header: string) => textColumn<never>(header, () => '')

/**
 * The specification asks for this screen without a call: it has inputs and columns, and no rows.
 */
export function Component() {
  const strings = useMemberStrings()
  const { incomes: t } = strings
  const title = useRouteTitle()
  const filters = filtersOf(strings)
  const [values, setValues] = useState(() =>
    Object.fromEntries(filters.map((filter) => [filter.name, initialValue(filter)])),
  )
  return (
    <>
      <PageHeader title={title} />
      <FilterBar filters={filters} values={values} onSearch={setValues} />
      <DataTable<never>
        label={title}
        keepHead
        rows={[]}
        rowKey={() => ''}
        empty={t.placeholder}
        columns={[
          nothing(t.requestAmount),
          nothing(t.adminCharge),
          nothing(t.payable),
          nothing(t.requestDate),
          nothing(t.status),
          nothing(t.hash),
          nothing(t.hashDate),
        ]}
      />
    </>
  )
}
