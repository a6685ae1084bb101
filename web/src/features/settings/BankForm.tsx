import { TextInput } from '@mantine/core'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm } from '@/components/form/form.ts'
import { Letters } from '@/components/form/Letters.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { refreshAll } from '@/lib/api/dashboard.ts'
import { type BankValues, bankRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { change, type Information } from './information.ts'

const DONE = 'Bank Update Successfully'
const FIELDS = {
  accountnumber: 'account',
  PAN: 'pan',
  AAdhar: 'aadhar',
  ctrans_password: 'transactionPassword',
} as const

/** The member's bank account. Bank and branch follow from the IFSC and cannot be typed. */
export function BankForm({ saved }: { saved: Information }) {
  const { settings: t } = useStrings()
  const { userId } = useSession()
  const form = useCheckedForm<BankValues & Record<string, unknown>>(
    {
      holder: saved.holder,
      account: saved.accountnumber,
      ifsc: saved.ifsc,
      pan: saved.PAN,
      aadhar: saved.AAdhar,
      transactionPassword: '',
    },
    bankRules,
  )
  const isSaved = form.values.ifsc === saved.ifsc
  const bank = isSaved ? saved.bank_name : ''
  const branch = isSaved ? saved.branch : ''
  return (
    <PlainForm
      form={form}
      call={(values, key) =>
        change(
          {
            type: 'Bank',
            uid: userId,
            holder: values.holder,
            accountnumber: values.account,
            ifsc: values.ifsc,
            bank_name: bank,
            branch,
            PAN: values.pan,
            AAdhar: values.aadhar,
            ctrans_password: values.transactionPassword,
          },
          key,
        )
      }
      outcome={({ data: { Result, field } }) => ({ done: Result === DONE, text: Result, field })}
      fields={FIELDS}
      onDone={() => {
        form.setFieldValue('transactionPassword', '')
        return refreshAll()
      }}
    >
      <Letters label={t.holder} most={LIMITS.holder} {...form.getInputProps('holder')} />
      <Digits label={t.account} most={LIMITS.account} {...form.getInputProps('account')} />
      <TextInput label={t.ifsc} maxLength={LIMITS.ifsc} {...form.getInputProps('ifsc')} />
      <TextInput label={t.bankName} value={bank} readOnly />
      <TextInput label={t.branch} value={branch} readOnly />
      <TextInput label={t.pan} maxLength={LIMITS.pan} {...form.getInputProps('pan')} />
      <Digits label={t.aadhar} most={LIMITS.aadhar} {...form.getInputProps('aadhar')} />
      <PasswordField
        label={t.transactionPassword}
        maxLength={LIMITS.transactionPassword}
        autoComplete="off"
        {...form.getInputProps('transactionPassword')}
      />
    </PlainForm>
  )
}
