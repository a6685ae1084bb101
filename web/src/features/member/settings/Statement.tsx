import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Amount } from '@/components/Amount.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { backwards, dateFilters, type Filter } from '@/components/table/filters.ts'
import { ExportButtons, ExportRow } from '@/components/table/Pager.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay, formatMoment, isAhead, zone } from '@/lib/dates.ts'
import { fundOptions } from '@/lib/funds.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import { previewOptions } from './queries.ts'
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

type Preset = keyof MemberStrings['settings']['presets']

/** The first and the last day of a preset: whole months up to today. */
export function presetDays(preset: Preset, today: Date): Record<'fdate' | 'tdate', string> {
  const [year, month] = [today.getFullYear(), today.getMonth()]
  const iso = (day: Date) =>
    [day.getFullYear(), day.getMonth() + 1, day.getDate()]
      .map((n) => String(n).padStart(2, '0'))
      .join('-')
  switch (preset) {
    case 'month':
      return { fdate: iso(new Date(year, month, 1)), tdate: '' }
    case 'lastMonth':
      return { fdate: iso(new Date(year, month - 1, 1)), tdate: iso(new Date(year, month, 0)) }
    case 'year':
      return { fdate: iso(new Date(year, 0, 1)), tdate: '' }
    default:
      return { fdate: '', tdate: '' }
  }
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
      <Group gap="xs" role="group" aria-label={t.period}>
        {Object.entries(t.presets).map(([preset, label]) => (
          <Button
            key={preset}
            size="xs"
            variant="default"
            onClick={() => {
              setDays(presetDays(preset as Preset, new Date()))
              setRefused(undefined)
            }}
          >
            {label}
          </Button>
        ))}
      </Group>
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
      {wrongDay(period, days) === undefined && <Preview wallet={wallet} days={days} />}
    </div>
  )
}

type Line = components['schemas']['PreviewLine']

/** The words for an entry. */
function wordsOf(line: Line, wallet: string, { entries }: MemberStrings['settings']) {
  const { kind, name = '', number = '', day = '' } = line
  const words = entries[kind]
  if (typeof words === 'string') return words
  const args = {
    name,
    number,
    package: term(line.package ?? ''),
    wallet,
    day: day && formatDay(day),
  }
  return words(args)
}

/** The figures of the period, and its newest entries. */
function Preview({ wallet, days }: { wallet: string; days: Record<string, string> }) {
  const strings = useMemberStrings()
  const { settings: t, withdrawal, fundNames } = strings
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(previewOptions(userId, wallet, days))
  if (error)
    return <ErrorNotice error={error} text={t.previewFailed} onRetry={() => void refetch()} />
  if (!data) return null
  const names: Record<string, string> = { ...fundNames, ...withdrawal.wallets }
  return (
    <section aria-label={t.preview} className={styles.stack}>
      <Facts
        facts={[
          [t.opening, <Amount key="opening" value={data.opening} />],
          [t.moneyIn, <Amount key="in" value={data.in} />],
          [t.moneyOut, <Amount key="out" value={data.out} />],
          [t.closing, <Amount key="closing" value={data.closing} />],
        ]}
      />
      <h3>{t.preview}</h3>
      {data.lines.length === 0 && <p className={styles.note}>{t.noEntries}</p>}
      <ul className={styles.entries}>
        {data.lines.map((line) => (
          <li key={`${line.at} ${line.balance} ${line.amount}`}>
            <span>
              <bdi>{wordsOf(line, names[wallet] ?? wallet, t)}</bdi>
              <span className={styles.note}>{formatMoment(line.at, zone())}</span>
            </span>
            <Amount value={line.amount} />
          </li>
        ))}
      </ul>
    </section>
  )
}
