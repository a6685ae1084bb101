import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ExportButtons, ExportRow } from '@/components/table/Pager.tsx'
import { fundOptions } from '@/lib/funds.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Settings.module.css'

const FORMATS = ['csv', 'xlsx', 'pdf'] as const
/** Not a wallet of its own: the funds that it is made of have statements. */
const NO_WALLET = 'FundBalance'

/** Every entry of a wallet in a period, with the balance before and after, as a file. */
export function Statement() {
  const strings = useMemberStrings()
  const { settings: t, filters, withdrawal } = strings
  const { userId } = useSession()
  const [wallet, setWallet] = useState('FUNDS')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const incomes = Object.entries(withdrawal.wallets)
    .filter(([value]) => value !== NO_WALLET)
    .map(([value, label]) => ({ value, label }))
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{t.statementNote}</p>
      <div className={styles.fields}>
        <NativeSelect
          label={t.wallet}
          data={[...fundOptions(strings), ...incomes]}
          value={wallet}
          onChange={(event) => setWallet(event.currentTarget.value)}
        />
        <TextInput
          label={filters.fromDate}
          type="date"
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          label={filters.toDate}
          type="date"
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </div>
      <ExportRow>
        <ExportButtons
          path="/api/statement"
          query={{ uid: userId, wallet, fdate: from, tdate: to }}
          formats={FORMATS}
        />
      </ExportRow>
    </div>
  )
}
