import { NativeSelect, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { backwards, dateFilters, type Filter } from '@/components/table/filters.ts'
import { ExportButtons, ExportRow } from '@/components/table/Pager.tsx'
import { isAhead } from '@/lib/dates.ts'
import { fundOptions } from '@/lib/funds.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Settings.module.css'

const FORMATS = ['csv', 'xlsx', 'pdf'] as const
/** Not a wallet but a sum: the funds it consists of have statements. */
const NO_WALLET = 'FundBalance'

/**
 * The invalid day, and why it is. A period in the future would be empty, but a statement shows
 * balances.
 */
function wrongDay(period: readonly Filter[], days: Record<string, string>) {
  const last = backwards(period, days)?.last
  if (last !== undefined) return { name: last, why: 'backwards' } as const
  const ahead = period.find(({ name }) => isAhead(days[name] ?? ''))
  return ahead && ({ name: ahead.name, why: 'notYet' } as const)
}

/** A file of all entries of a wallet in a period, with the balance after each. */
export function Statement() {
  const strings = useMemberStrings()
  const { settings: t, filters: texts, withdrawal } = strings
  const { userId } = useSession()
  const [wallet, setWallet] = useState('FUNDS')
  const period = dateFilters(strings)
  const [days, setDays] = useState<Record<string, string>>({ fdate: '', tdate: '' })
  const [refused, setRefused] = useState<ReturnType<typeof wrongDay>>()
  const fields = useRef<Record<string, HTMLInputElement | null>>({})
  const passes = () => {
    const wrong = wrongDay(period, days)
    setRefused(wrong)
    if (wrong) fields.current[wrong.name]?.focus()
    return wrong === undefined
  }
  const incomes = Object.entries(withdrawal.wallets)
    .filter(([value]) => value !== NO_WALLET)
    .map(([value, label]) => ({ value, label }))
  return (
    <div className={styles.stack}>
      <p className={styles.note}>{t.statementNote}</p>
      <div className={styles.fields}>
        <NativeSelect
          className={styles.whole ?? ''}
          label={t.wallet}
          data={[...fundOptions(strings), ...incomes]}
          value={wallet}
          onChange={(event) => setWallet(event.currentTarget.value)}
        />
        {period.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            type="date"
            value={days[name] ?? ''}
            error={name === refused?.name && texts[refused.why]}
            ref={(field) => {
              fields.current[name] = field
            }}
            onChange={({ currentTarget: { value } }) => {
              setDays({ ...days, [name]: value })
              setRefused(undefined)
            }}
          />
        ))}
      </div>
      <ExportRow>
        <ExportButtons
          path="/api/statement"
          query={{ uid: userId, wallet, ...days }}
          formats={FORMATS}
          passes={passes}
        />
      </ExportRow>
    </div>
  )
}
