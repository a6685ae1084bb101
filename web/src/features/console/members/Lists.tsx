import { NativeSelect, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import type { Column } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { Pager } from '@/components/table/Pager.tsx'
import { firstOf } from '@/components/table/state.ts'
import { exactTitle, formatMoney } from '@/lib/money.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Member.module.css'
import { incomes, type MemberList, purchases, requests } from './memberLists.ts'
import { memberListOptions } from './queries.ts'

const NAMES = ['purchases', 'incomes', 'requests'] as const
type Name = (typeof NAMES)[number]

/** The member's purchases, incomes and requests. */
export function Lists({ uid }: { uid: string }) {
  const { memberLists: t } = useConsoleStrings()
  const [name, setName] = useState<Name>('purchases')
  return (
    <Card title={t.label}>
      <Tabs value={name} onChange={(next) => setName((next ?? name) as Name)} keepMounted={false}>
        <Tabs.List className={styles.tabs ?? ''} aria-label={t.label}>
          {NAMES.map((known) => (
            <Tabs.Tab key={known} value={known}>
              {t.tabs[known]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="purchases">
          <List uid={uid} list={purchases} label={t.tabs.purchases} />
        </Tabs.Panel>
        <Tabs.Panel value="incomes">
          <List uid={uid} list={incomes} label={t.tabs.incomes} />
        </Tabs.Panel>
        <Tabs.Panel value="requests">
          <List uid={uid} list={requests} label={t.tabs.requests} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

interface ListProps<Row> {
  uid: string
  list: MemberList<Row>
  label: string
}

/** One list with a select for its kind and its pages. */
function List<Row>({ uid, list, label }: ListProps<Row>) {
  const strings = useConsoleStrings()
  const { memberLists: t, table } = strings
  const options = list.options(strings)
  const [asked, setAsked] = useState({ kind: options[0]?.value ?? '', page: 1, size: 25 })
  const { data, error, refetch, isPlaceholderData } = useQuery(memberListOptions(list, uid, asked))
  const columns: readonly Column<Row>[] = list.columns(strings)
  return (
    <div className={layout.page}>
      <NativeSelect
        label={t.kind}
        value={asked.kind}
        data={options}
        onChange={(event) => setAsked({ ...asked, page: 1, kind: event.currentTarget.value })}
      />
      {data?.sum !== undefined && (
        <p className={layout.hint} {...exactTitle(data.sum)}>
          {t.total({ sum: formatMoney(data.sum) })}
        </p>
      )}
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable<Row>
          label={label}
          columns={columns}
          rows={data?.rows}
          rowKey={list.rowKey}
          firstNumber={firstOf(data ?? asked)}
          stale={isPlaceholderData}
          empty={list.empty(strings)}
        />
      )}
      {data && data.total > 0 && (
        <Pager
          page={asked.page}
          size={asked.size}
          total={data.total}
          shown={data}
          onPage={(page) => setAsked({ ...asked, page })}
          onSize={(size) => setAsked({ ...asked, size, page: 1 })}
        />
      )}
    </div>
  )
}
