import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay } from '@/lib/dates.ts'
import { exactMoney, exactPercent, minus } from '@/lib/money.ts'
import type { Strings } from '@/lib/strings/index.ts'
import { term, termList } from '@/lib/strings/serverText.ts'

/** The explanation of an income: a sentence, the calculation, and its sources. */

export type Why = components['schemas']['WhyResult']
type Legs = components['schemas']['WhyLegs']

export type Fact = [name: string, value: ReactNode]

export interface Section {
  title: string
  facts: Fact[]
  note?: string | undefined
}

/** The server's percents have six decimals; trailing zeros are dropped. */
const percents = (rate: string) => `${rate.replace(/\.?0+$/, '')}%`
const rateOf = ({ rate_ppm, onrate }: Why) =>
  rate_ppm !== undefined ? exactPercent(rate_ppm) : percents(onrate ?? '0')
const money = (amount: string | undefined) => exactMoney(amount ?? '0')
const legs = ({ left, right }: Legs) => `${exactMoney(left)} / ${exactMoney(right)}`
const asIs = (value: string | number) => value

/** One fact, or none if this kind of income does not have the value. */
const fact = <T,>(name: string, value: T | undefined, show: (value: T) => ReactNode): Fact[] =>
  value === undefined || value === '' ? [] : [[name, show(value)]]

/** The value, and what the plan requires. */
const reached = (
  name: string,
  had: string | undefined,
  need: string | undefined,
  needed: Strings['why']['needed'],
): Fact[] =>
  fact(name, had, (amount) => (
    <>
      {exactMoney(amount)}
      <br />
      {need !== undefined && needed({ amount: exactMoney(need) })}
    </>
  ))

/** The explanation as a sentence. */
export function sentenceOf(why: Why, { why: t }: Strings): string {
  const level = String(why.lvl ?? '')
  const from = why.f_name ? t.person({ name: why.f_name, id: why.uid }) : t.member({ id: why.uid })
  if (why.reverses) return t.because.reversal({ row: String(why.reverses) })
  switch (why.t) {
    case 'Level':
      return t.because.Level({ rate: rateOf(why), on: money(why.on), from, level })
    case 'RoiLevel':
      return t.because.RoiLevel({ rate: rateOf(why), on: money(why.on), from, level })
    case 'Matching':
      return why.uncapped === undefined
        ? t.because.Matching({ rate: rateOf(why), matched: money(why.matched) })
        : t.because.MatchingCapped({
            rate: rateOf(why),
            matched: money(why.matched),
            uncapped: money(why.uncapped),
            cap: money(why.cap),
          })
    case 'Roi':
      return why.result_rate === undefined
        ? t.because.RoiPlain({ rate: rateOf(why), on: money(why.on) })
        : t.because.Roi({
            rate: rateOf(why),
            on: money(why.on),
            result: percents(why.result_rate),
          })
    case 'Rank':
      return t.because.Rank({ matched: money(why.match_bot), level })
    case 'Reward':
      return t.because.Reward({ leg1: money(why.leg1), other: money(why.otherleg), level })
    case 'Salary':
      return t.because.Salary({ level, team: money(why.team_volume) })
    case 'Royalty':
      return t.because.Royalty({
        weight: String(why.weight ?? 0),
        weights: String(why.weights ?? 0),
        pool: money(why.on),
      })
  }
}

/** The steps of the calculation, from the base to the paid amount. */
export function stepsOf(why: Why, { why: t }: Strings): Fact[] {
  const hasRate = why.rate_ppm !== undefined || why.onrate !== undefined
  return [
    ...fact(t.on, why.on, exactMoney),
    ...fact(t.matched, why.matched, exactMoney),
    ...reached(t.matchedEver, why.match_bot, why.need_match_bot, t.needed),
    ...reached(t.leg1, why.leg1, why.need_leg1, t.needed),
    ...reached(t.otherLeg, why.otherleg, why.need_otherleg, t.needed),
    ...reached(t.teamVolume, why.team_volume, why.need_team_volume, t.needed),
    ...fact(t.share, why.share, exactMoney),
    ...fact(t.repaid, why.repaid, exactMoney),
    ...fact(t.split, why.split_ppm, exactPercent),
    ...fact(t.weight, why.weight, (weight) => `${weight} / ${why.weights ?? '–'}`),
    ...fact(t.resultRate, why.result_rate, percents),
    ...(hasRate ? fact(why.t === 'Roi' ? t.yourRate : t.rate, rateOf(why), asIs) : []),
    ...fact(t.uncapped, why.uncapped, exactMoney),
    ...fact(t.cap, why.cap, (cap) => (
      <>
        {exactMoney(cap)}
        <br />
        {why.capped ? t.capped : t.notCapped}
      </>
    )),
    ...fact(t.lost, why.uncapped, (all) => exactMoney(minus(all, why.nominal))),
    [t.nominal, exactMoney(why.nominal)],
    [t.factor, exactPercent(why.factor_ppm)],
    [why.ss === 'Hold' ? t.onHold : t.paid, <strong key="paid">{exactMoney(why.paid)}</strong>],
  ]
}

export function sectionsOf(why: Why, strings: Strings): Section[] {
  const { why: t } = strings
  return [
    { title: t.source, facts: sourceOf(why, strings) },
    ...(why.t === 'Matching' ? [carryOf(why, strings)] : []),
    {
      title: t.standing,
      facts: [
        [t.status, term(why.ss)],
        ...fact(t.released, why.released, formatDay),
        ...fact(t.remark, why.remark, termList),
        ...fact(t.reverses, why.reverses, asIs),
      ],
      note: noteOf(why, strings),
    },
  ]
}

/** The reason why an amount is not paid yet, or how it was paid. */
function noteOf(why: Why, { why: t }: Strings): string | undefined {
  if (why.ended) {
    return (why.ss === 'Hold' ? t.heldClaim : t.claimedWith)({ day: formatDay(why.ended) })
  }
  if (why.ss === 'Hold') return why.t === 'Roi' || why.t === 'RoiLevel' ? t.held : t.heldReview
  return why.scaled ? t.scaled : undefined
}

/** The day, the plan and the digest, with which an auditor can check the row. */
export const technicalOf = (why: Why, { why: t }: Strings): Section => ({
  title: t.close,
  facts: [
    [t.day, formatDay(why.close.day)],
    [t.plan, why.close.plan],
    [t.row, why.row],
    ...fact(t.position, why.position, asIs),
    [t.digest, <code key="digest">{why.close.digest}</code>],
  ],
})

function sourceOf(why: Why, { why: t }: Strings): Fact[] {
  const own = why.t !== 'Level' && why.t !== 'RoiLevel'
  return [
    ...fact(t.from, own ? undefined : why.uid, (uid) =>
      why.f_name ? t.person({ name: why.f_name, id: uid }) : uid,
    ),
    ...fact(t.level, why.lvl, asIs),
    ...fact(t.line, why.line, term),
    ...fact(t.booked, why.source, ({ kind, day, amount }) => (
      <>
        {t.sources[kind]}, {exactMoney(amount)}
        <br />
        {day !== '' && formatDay(day)}
        {kind === 'sale' && day !== '' && !own && (
          <>
            <br />
            <Link to={saleOf(day)}>{t.toSale}</Link>
          </>
        )}
      </>
    )),
    ...fact(t.reference, why.source?.reference, asIs),
  ]
}

/** The list of the team's purchases of a day. */
const saleOf = (day: string) => `/RobotDownlineActivationHistory?fdate=${day}&tdate=${day}`

/** Days that were closed before legs were recorded have none. */
const carryOf = (why: Why, { why: t }: Strings): Section => ({
  title: t.carry,
  facts: [
    ...fact(t.carryBefore, why.carry_before, legs),
    ...fact(t.carryAfter, why.carry_after, legs),
  ],
  note: why.carry_after ? t.carryMeaning : t.carryUnknown,
})
