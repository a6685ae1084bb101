import { NativeSelect } from '@mantine/core'
import { Digits } from '@/components/form/Digits.tsx'
import type { Effect } from '@/components/form/effect.ts'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { MoneyForm } from '@/components/form/MoneyForm.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { UserIdField } from '@/components/form/UserIdField.tsx'
import { balanceOf } from '@/lib/funds.ts'
import { formatMoney, minus, signOf } from '@/lib/money.ts'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useIdLengths } from '@/lib/queries/limits.ts'
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
import { type Line, type Package, purchase, type Topup, topupOf } from './lines.ts'

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
      submit={order.topup && (order.topup === 'Activation' ? t.activate : t.upgrade)}
      effect={effect}
      call={(values, key) => buy(line, order, values, key)}
      outcome={({ data }) => outcomeOf(data.RESULT, data, DONE)}
      fields={FIELDS}
      priced={line.name ? 'amount' : 'package'}
      refusals={refusalsOf(line, order)}
    >
      <Fields form={form} line={line} packages={packages} order={order} nobody={nobody} />
      {!line.name && order.topup === 'Upgrade' && <UpgradeNote order={order} />}
    </MoneyForm>
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
  return { own, forSelf, found, topup, chosen, price }
}

/** The effect, and the paying fund. */
function useEffectOf(line: Line, { found, chosen, price, topup, forSelf }: Order) {
  const { activations: t, fundNames } = useMemberStrings()
  const { data: row } = useDashboard()
  return ({ userId }: Values): Effect => ({
    text: t.effect({ name: found.person?.name ?? '', id: userId, what: term(chosen?.name ?? '') }),
    wallet: fundNames[line.fund],
    balance: row && balanceOf(row, line.fund),
    amount: price,
    // The total spent by another member is not shown to everybody.
    atMost: !line.name && topup === 'Upgrade' && !forSelf,
  })
}

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

function Fields({ form, line, packages, order: { found, chosen }, nobody }: FieldsProps) {
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
      <NativeSelect
        label={t.package}
        data={[{ value: '', label: t.selectPackage }, ...packages.map((p) => optionOf(p, t))]}
        {...form.getInputProps('package')}
      />
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

const optionOf = ({ id, name, amount, from, to }: Package, t: MemberStrings['activations']) => ({
  value: id,
  label:
    from && to
      ? t.rangeOption({ name: term(name), from: formatMoney(from), to: formatMoney(to) })
      : t.packageOption({ name: term(name), amount: formatMoney(amount) }),
})

function refusalsOf(line: Line, { chosen, price }: Order): Rule<Values>[] {
  const { from, to } = chosen ?? {}
  if (line.name) return from && to ? [rangeRule(from, to)] : []
  return [{ field: 'package', text: (t) => t.packageOwned, fails: () => price === '0' }]
}

interface Pricing {
  line: Line
  chosen: Package | undefined
  amount: string
  topup: Topup | undefined
  /** The receiver's total spent on packages, if it is known. */
  owned: string | undefined
}

/** The amount that the fund pays. An upgrade costs the difference. */
function priceOf({ line, chosen, amount, topup, owned }: Pricing): string {
  if (line.name) return amount
  if (!chosen) return '0'
  if (topup !== 'Upgrade' || owned === undefined) return chosen.amount
  const difference = minus(chosen.amount, owned)
  return signOf(difference) > 0 ? difference : '0'
}
