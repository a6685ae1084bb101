import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type WrongEntry, walletOf } from '@/components/console/corrections/correctionActs.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { dateColumn, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { Older } from '@/components/table/Older.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { accountName } from '@/lib/operator/names.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { correctColumn } from './correctColumn.tsx'
import styles from './Member.module.css'
import { entriesOptions } from './queries.ts'

type Wallet = components['schemas']['MemberWallet']
type Entry = components['schemas']['EntryRow']

interface WalletsProps {
  uid: string
  wallets: readonly Wallet[]
  /** Undefined for operators who may not correct entries. */
  onCorrect?: (wrong: WrongEntry) => void
}

/** The member's accounts; the selected one shows its entries. */
export function Wallets({ uid, wallets, onCorrect }: WalletsProps) {
  const { members: t, console } = useConsoleStrings()
  const [account, setAccount] = useState('')
  return (
    <>
      <Card title={t.wallets}>
        <DataTable<Wallet>
          label={t.wallets}
          columns={[
            {
              header: t.account,
              narrow: true,
              cell: ({ account: code }) => (
                <Anchor
                  component="button"
                  type="button"
                  className={styles.account ?? ''}
                  title={code}
                  onClick={() => setAccount(code)}
                >
                  {accountName(code, console)}
                </Anchor>
              ),
            },
            moneyColumn(t.posted, (w) => w.posted),
            moneyColumn(t.held, (w) => w.held),
            moneyColumn(t.available, (w) => w.available),
            numberColumn(t.entries, (w) => w.entries),
          ]}
          rows={wallets}
          rowKey={(w) => w.account}
          empty={t.noWallets}
          selected={account}
        />
      </Card>
      {account && <Entries uid={uid} account={account} {...(onCorrect && { onCorrect })} />}
    </>
  )
}

interface EntriesProps extends Pick<WalletsProps, 'uid' | 'onCorrect'> {
  account: string
}

function Entries({ uid, account, onCorrect }: EntriesProps) {
  const strings = useConsoleStrings()
  const { members: t, console, table } = strings
  const wallet = walletOf(account)
  const [from, setFrom] = useState({ account, before: 0 })
  const before = from.account === account ? from.before : 0
  const { data, error, refetch, isPlaceholderData } = useQuery(entriesOptions(uid, account, before))
  return (
    <Card title={accountName(account, console)} actions={<code>{account}</code>}>
      {error ? (
        <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable<Entry>
          label={account}
          columns={[
            dateColumn(t.at, (e) => e.at),
            textColumn(t.kind, (e) => named(strings.moves, e.kind)),
            moneyColumn(t.amount, (e) => e.amount),
            moneyColumn(t.after, (e) => e.after),
            moneyColumn(t.held, (e) => e.held),
            textColumn(t.reason, (e) => serverText(e.reason, e.reasonText)),
            textColumn(t.reference, (e) => e.reference),
            ...(onCorrect && wallet ? [correctColumn(wallet, strings, onCorrect)] : []),
          ]}
          rows={data && (data.data[0] ?? [])}
          rowKey={({ number }) => number}
          stale={isPlaceholderData}
          empty={t.noEntries}
        />
      )}
      <Older
        before={before}
        next={data?.next ?? 0}
        onTurn={(next) => setFrom({ account, before: next })}
      />
    </Card>
  )
}
