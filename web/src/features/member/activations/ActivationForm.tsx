import { Anchor, NativeSelect } from '@mantine/core'
import { Link } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import type { Effect } from '@/components/form/effect.ts'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { MoneyForm } from '@/components/form/MoneyForm.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { UserIdField } from '@/components/form/UserIdField.tsx'
import { dayAfter, formatDay } from '@/lib/dates.ts'
import { balanceOf } from '@/lib/funds.ts'
import { exactPercent, formatMoney, isAmount, minus, signOf } from '@/lib/money.ts'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useIdLengths } from '@/lib/queries/limits.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import { useLookup } from '@/lib/queries/sponsor.ts'
import {
  type ActivationValues,
  activationRules,
  investmentRules,
  rangeRule,
} from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import type { Rule } from '@/lib/rules/rule.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Activation.module.css'
import { type Line, type Package, priceOf, purchase, type Terms, topupOf } from './lines.ts'
import { PackageCards } from './PackageCards.tsx'

type Values = ActivationValues & Record<string, unknown>

/** Either answer means success, whichever of the calls gives it. */
const DONE = ['result.activated', 'result.upgraded']
const FIELDS = { user_id: 'userId', ctrans_password: 'transactionPassword' } as const

interface ActivationFormProps {
  line: Line
  packages: readonly Package[]
  nobody: string
}

/** Buys a package, or invests, for the member or another one, out of the member's fund. */
export function ActivationForm({ line, packages, nobody }: ActivationFormProps) {
  const { activations: t } = useMemberStrings()
  const { userId: own } = useSession()
  const form = useCheckedForm<Values>(
    { userId: own, package: '', amount: '', transactionPassword: '' },
    line.name ? investmentRules : activationRules,
    { screen: `activation.${line.fund}`, fields: ['userId', 'package', 'amount'] },
  )
  const order = useOrder(line, packages, form.values)
  const effect = useEffectOf(line, order)
  return (
    <MoneyForm
      form={form}
      submit={submitOf(order, form.values.userId, t)}
      effect={effect}
      call={(values, key) => buy(line, order, values, key)}
      outcome={({ data }) => outcomeOf(data.RESULT, data, DONE)}
      fields={FIELDS}
      priced={line.name ? 'amount' : 'package'}
      refusals={refusalsOf(line, order)}
    >
      <Fields form={form} line={line} packages={packages} order={order} nobody={nobody} />
      {!line.name && order.topup === 'Upgrade' && <UpgradeNote order={order} />}
      <AddFunds line={line} order={order} />
    </MoneyForm>
  )
}

/** Without an id there is a button, which asks for one; an unknown id has none. */
function submitOf({ topup }: Order, userId: string, t: MemberStrings['activations']) {
  if (topup) return topup === 'Activation' ? t.activate : t.upgrade
  return userId === '' ? t.activate : undefined
}

/** The way to the missing money. */
function AddFunds({ line, order: { price, atMost } }: { line: Line; order: Order }) {
  const { activations: t, fundNames } = useMemberStrings()
  const { data: row } = useDashboard()
  const balance = row && balanceOf(row, line.fund)
  if (balance === undefined || atMost || !isAmount(price)) return null
  const missing = minus(price, balance)
  if (signOf(missing) <= 0) return null
  return (
    <Anchor component={Link} to="/FundRequestECurrency">
      {t.addFunds({ amount: formatMoney(missing), fund: fundNames[line.fund] })}
    </Anchor>
  )
}

type Order = ReturnType<typeof useOrder>

/** The fields: the receiver, the package and the price. */
function useOrder(line: Line, packages: readonly Package[], values: Values) {
  const { userId: own } = useSession()
  const { data: row } = useDashboard()
  const found = useLookup(values.userId)
  const forSelf = values.userId === own
  const topup = topupOf(line, found.person)
  const chosen = packages.find(({ id }) => id === values.package)
  const owned = forSelf ? row?.MyPackage : undefined
  const price = priceOf({ line, chosen, amount: values.amount, topup, owned })
  // The total spent by another member is not shown to everybody.
  const atMost = !line.name && topup === 'Upgrade' && !forSelf
  return { own, forSelf, found, topup, chosen, price, owned, atMost }
}

/** The effect, and the paying fund. */
function useEffectOf(line: Line, { found, chosen, price, atMost }: Order) {
  const { activations: t, fundNames } = useMemberStrings()
  const { data: row } = useDashboard()
  const { data: rules } = useMoneyRules()
  return ({ userId }: Values): Effect => ({
    text: (line.name ? t.effectInvest : t.effect)({
      name: found.person?.name ?? '',
      id: userId,
      what: term(chosen?.name ?? ''),
      amount: isAmount(price) ? formatMoney(price) : '–',
    }),
    wallet: fundNames[line.fund],
    balance: row && balanceOf(row, line.fund),
    amount: price,
    atMost,
    ...(chosen?.terms && { terms: termsOf(chosen.terms, t), note: t.locked }),
    done: (line.name ? t.receiptInvest : t.receiptBuy)({
      what: term(chosen?.name ?? ''),
      name: found.person?.name ?? '',
      id: userId,
    }),
    ...receiptOf(line, chosen, rules?.coolingOffDays, t),
  })
}

/** The last day of a return, or the end of an investment; for a package also its lessons. */
function receiptOf(
  line: Line,
  chosen: Package | undefined,
  days: number | undefined,
  t: MemberStrings['activations'],
): Pick<Effect, 'receipt' | 'next'> {
  if (chosen?.terms) return { receipt: [[t.endsOn, formatDay(chosen.terms.ends)]] }
  if (line.name) return {}
  const next = { to: '/Lessons', text: t.toLessons }
  return days === undefined ? { next } : { receipt: [[t.receiptReturn, dayAfter(days)]], next }
}

/** The conditions of an investment, which are read before paying. */
const termsOf = (
  { days, ends, member, fee, level }: Terms,
  t: MemberStrings['activations'],
): (readonly [string, string])[] => [
  [t.term, t.days({ days: String(days) })],
  [t.endsOn, formatDay(ends)],
  [t.memberShare, exactPercent(member)],
  [t.levelShare, exactPercent(level)],
  [t.feeShare, exactPercent(fee)],
]

const buy = (line: Line, { own, topup = 'Activation' }: Order, values: Values, key: string) =>
  purchase(
    line,
    topup,
    {
      referby: own,
      user_id: values.userId,
      package: values.package,
      ctrans_password: values.transactionPassword,
      ...(line.name && { amount: values.amount }),
    },
    key,
  )

interface FieldsProps extends ActivationFormProps {
  form: CheckedForm<Values>
  order: Order
}

function Fields({ form, line, packages, order, nobody }: FieldsProps) {
  const { found, chosen } = order
  const { activations: t } = useMemberStrings()
  const lengths = useIdLengths()
  return (
    <>
      <UserIdField
        label={t.userId}
        most={lengths.activation}
        found={found}
        missing={nobody}
        {...form.getInputProps('userId')}
      />
      {line.name ? (
        <NativeSelect
          label={t.package}
          data={[{ value: '', label: t.selectPackage }, ...packages.map((p) => optionOf(p, t))]}
          {...form.getInputProps('package')}
        />
      ) : (
        <PackageCards
          packages={packages}
          topup={order.topup}
          owned={order.owned}
          {...form.getInputProps('package')}
        />
      )}
      {line.name && (
        <Digits
          dollars
          label={t.amount}
          most={LIMITS.amount}
          description={
            chosen?.from &&
            chosen.to &&
            t.range({ from: formatMoney(chosen.from), to: formatMoney(chosen.to) })
          }
          {...form.getInputProps('amount')}
        />
      )}
      <PasswordField
        label={t.transactionPassword}
        maxLength={LIMITS.transactionPassword}
        autoComplete="off"
        {...form.getInputProps('transactionPassword')}
      />
    </>
  )
}

/** An upgrade costs the difference, if there is one. */
function UpgradeNote({ order: { forSelf, chosen, price } }: { order: Order }) {
  const { activations: t } = useMemberStrings()
  const own = chosen && price === '0' ? t.notLarger : t.ownDifference
  return <p className={styles.note}>{forSelf ? own : t.difference}</p>
}

const optionOf = (
  { id, name, from = '0', to = '0' }: Package,
  t: MemberStrings['activations'],
) => ({
  value: id,
  label: t.rangeOption({ name: term(name), from: formatMoney(from), to: formatMoney(to) }),
})

function refusalsOf(line: Line, { chosen, price }: Order): Rule<Values>[] {
  const { from, to } = chosen ?? {}
  if (line.name) return from && to ? [rangeRule(from, to)] : []
  return [{ field: 'package', text: (t) => t.packageOwned, fails: () => price === '0' }]
}
