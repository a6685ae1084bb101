import { NativeSelect } from '@mantine/core'
import { Digits } from '@/components/form/Digits.tsx'
import type { Effect } from '@/components/form/effect.ts'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { MoneyForm } from '@/components/form/MoneyForm.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { UserIdField } from '@/components/form/UserIdField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { balanceOf, fundName, fundOptions } from '@/lib/funds.ts'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useIdLengths } from '@/lib/queries/limits.ts'
import { useLookup } from '@/lib/queries/sponsor.ts'
import { type FundTransferValues, fundTransferRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Funds.module.css'

type Values = FundTransferValues & Record<string, unknown>

const DONE = ['result.done']
const FIELDS = {
  user_id: 'userId',
  wallettype: 'wallet',
  ctrans_password: 'transactionPassword',
} as const

export const TRANSFER_DRAFT = {
  screen: 'FundTransfer',
  fields: ['userId', 'amount', 'wallet'],
} as const

interface TransferFormProps {
  /** Called when the receipt is closed. */
  onFinish: () => void
  /** Called when the confirmation opens and after the answer. */
  onAsking?: (asking: boolean) => void
}

/** Transfers money of the member's fund to another member. */
export function TransferForm({ onFinish, onAsking }: TransferFormProps) {
  const { funds: t, lookup } = useMemberStrings()
  const { userId: own } = useSession()
  const form = useCheckedForm<Values>(
    { userId: '', amount: '', wallet: '', transactionPassword: '' },
    fundTransferRules(own),
    TRANSFER_DRAFT,
  )
  const found = useLookup(form.values.userId)
  const effect = useEffectOf(found)
  return (
    <MoneyForm
      form={form}
      submit={t.transfer}
      effect={effect}
      call={(values, key) => give(own, values, key)}
      outcome={({ data }) => outcomeOf(data.RESULT, data, DONE, t.transferDone)}
      fields={FIELDS}
      priced="amount"
      refusals={[
        { field: 'userId', text: () => t.nobody, fails: () => found.missing },
        // Nobody confirms a transfer without the receiver's name.
        { field: 'userId', text: () => lookup.failed, fails: () => found.failed },
      ]}
      waits={found.asking}
      onFinish={onFinish}
      {...(onAsking && { onAsking })}
    >
      <Fields form={form} found={found} />
    </MoneyForm>
  )
}

const give = (own: string, values: Values, key: string) =>
  answerOf(
    api.POST('/api/FundTransferToUser', {
      body: {
        referby: own,
        user_id: values.userId,
        amount: values.amount,
        wallettype: values.wallet,
        ctrans_password: values.transactionPassword,
      },
      ...underKey(key),
    }),
  )

type Found = ReturnType<typeof useLookup>

/** The receiver, the amount and the balance after it. */
function useEffectOf(found: Found) {
  const strings = useMemberStrings()
  const { data: row } = useDashboard()
  const name = found.person?.name
  return ({ userId, wallet, amount }: Values): Effect => ({
    text: name
      ? strings.funds.transferEffect({ name, id: userId })
      : strings.funds.transferEffectById({ id: userId }),
    done: strings.funds.transferDoneEffect({ name: name ?? '', id: userId }),
    wallet: fundName(wallet, strings) || '–',
    balance: row && wallet ? balanceOf(row, wallet) : undefined,
    amount,
  })
}

function Fields({ form, found }: { form: CheckedForm<Values>; found: Found }) {
  const strings = useMemberStrings()
  const t = strings.funds
  const lengths = useIdLengths()
  return (
    <>
      <UserIdField
        data-autofocus
        label={t.toUserId}
        most={lengths.transfer}
        found={found}
        missing={t.nobody}
        {...form.getInputProps('userId')}
      />
      <NativeSelect
        label={t.walletType}
        data={[{ value: '', label: t.selectWallet }, ...fundOptions(strings)]}
        {...form.getInputProps('wallet')}
      />
      <AmountField form={form} />
      <PasswordField
        label={t.transactionPassword}
        maxLength={LIMITS.transactionPassword}
        autoComplete="off"
        {...form.getInputProps('transactionPassword')}
      />
    </>
  )
}

/** The amount, and what the receiver gets of it. */
function AmountField({ form }: { form: CheckedForm<Values> }) {
  const { funds: t, rules } = useMemberStrings()
  const { amount } = form.values
  return (
    <div>
      <Digits
        dollars
        label={t.amountDollars}
        most={LIMITS.transferAmount}
        {...form.getInputProps('amount')}
      />
      <p role="status" className={styles.charge} data-bad={amount === ''}>
        {amount !== '' ? t.charge({ amount }) : form.isTouched('amount') && rules.invalidAmount}
      </p>
    </div>
  )
}
