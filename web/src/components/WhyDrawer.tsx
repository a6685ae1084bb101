import { Button, Drawer, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CircleHelp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import { useSession } from '@/lib/session.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import { ErrorNotice } from './ErrorNotice.tsx'
import styles from './WhyDrawer.module.css'

type Why = components['schemas']['WhyResult']
type Legs = components['schemas']['WhyLegs']

/** Opens what the server says about one income: `row` is its number. */
export function WhyButton({ row }: { row: number }) {
  const { why, actions } = useStrings()
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`${why.title}: ${row}`}
        onClick={() => setOpened(true)}
      >
        <CircleHelp size={16} aria-hidden="true" />
      </Button>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={why.title}
        position="right"
        closeButtonProps={{ 'aria-label': actions.close }}
      >
        <Explanation row={row} />
      </Drawer>
    </>
  )
}

function Explanation({ row }: { row: number }) {
  const strings = useStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: ['IncomeWhy', userId, row],
    queryFn: () => answerOf(api.POST('/api/IncomeWhy', { body: { uid: userId, row } })),
  })
  if (error) {
    return <ErrorNotice error={error} text={strings.why.failed} onRetry={() => void refetch()} />
  }
  if (!data) return <Loader aria-label={strings.table.loading} />
  const why = data.data
  return (
    <>
      <dl className={styles.facts}>
        {factsOf(why, strings).map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {why.scaled && <p className={styles.note}>{strings.why.scaled}</p>}
      {why.capped && <p className={styles.note}>{strings.why.capped}</p>}
    </>
  )
}

/** Parts per million as percent, exact: 125000 is 12.5 %. */
const percent = (ppm: number) => `${ppm / 10_000} %`
const legs = ({ left, right }: Legs) => `${formatMoney(left)} / ${formatMoney(right)}`

type Fact = [name: string, value: ReactNode]

/** What is known of this income; what a kind does not have is left out. */
function factsOf(why: Why, { why: t }: Strings): Fact[] {
  const fact = <T,>(name: string, value: T | undefined, show: (value: T) => ReactNode): Fact[] =>
    value === undefined || value === '' ? [] : [[name, show(value)]]
  const asIs = (value: string | number) => value
  return [
    ...fact(t.kind, why.t, (kind) => t.kinds[kind]),
    ...fact(t.paid, why.paid, (paid) => <strong>{formatMoney(paid)}</strong>),
    ...fact(t.nominal, why.nominal, formatMoney),
    ...fact(t.factor, why.factor_ppm, percent),
    ...fact(t.from, why.uid, asIs),
    ...fact(t.level, why.lvl, asIs),
    ...fact(t.on, why.on, formatMoney),
    ...fact(t.rate, why.rate_ppm, percent),
    ...fact(t.rate, why.rate_ppm === undefined ? why.onrate : undefined, (rate) => `${rate} %`),
    ...fact(t.matched, why.matched, formatMoney),
    ...fact(t.cap, why.cap, formatMoney),
    ...fact(t.carryBefore, why.carry_before, legs),
    ...fact(t.carryAfter, why.carry_after, legs),
    ...fact(t.teamVolume, why.team_volume, formatMoney),
    ...fact(t.weight, why.weight, (weight) => `${weight} / ${why.weights ?? '–'}`),
    ...fact(t.source, why.source, ({ kind, day, amount }) => (
      <>
        {t.sources[kind]}, {day !== '' && formatDay(day)}, {formatMoney(amount)}
      </>
    )),
    ...fact(t.reference, why.source?.reference, asIs),
    ...fact(t.reverses, why.reverses, asIs),
    ...fact(t.status, why.ss, asIs),
    ...fact(t.released, why.released, formatDay),
    ...fact(t.remark, why.remark, asIs),
    ...fact(t.close, why.close.day, formatDay),
    ...fact(t.plan, why.close.plan, asIs),
    ...fact(t.digest, why.close.digest, (digest) => <code>{digest}</code>),
  ]
}
