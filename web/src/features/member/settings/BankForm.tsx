import { TextInput } from '@mantine/core'
import { Digits } from '@/components/form/Digits.tsx'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { Letters } from '@/components/form/Letters.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import type { Information } from '@/lib/queries/userInformation.ts'
import { type BankValues, bankRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { useIfsc } from './ifsc.ts'
import { change } from './information.ts'
import styles from './Settings.module.css'

type Values = BankValues & Record<string, unknown>

const DONE = ['result.bank_updated']
const FIELDS = {
  accountnumber: 'account',
  bank_name: 'bank',
  PAN: 'pan',
  AAdhar: 'aadhar',
  ctrans_password: 'transactionPassword',
} as const

const valuesOf = (saved: Information): Values => ({
  holder: saved.holder,
  account: saved.accountnumber,
  ifsc: saved.ifsc,
  bank: saved.bank_name,
  branch: saved.branch,
  pan: saved.PAN,
  aadhar: saved.AAdhar,
  transactionPassword: '',
})

/** PAN and Aadhar identify a person: like passwords they are never kept in a draft. */
export const BANK_DRAFT = {
  screen: 'ECurrencyDetails.bank',
  fields: ['holder', 'account', 'ifsc', 'bank', 'branch'],
} as const

/** The member's bank account. */
export function BankForm({ saved }: { saved: Information }) {
  const { settings: t } = useMemberStrings()
  const { userId } = useSession()
  const form = useCheckedForm<Values>(valuesOf(saved), bankRules, BANK_DRAFT)
  const known = useIfsc(form.values.ifsc)
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
            bank_name: known.bank || values.bank,
            branch: known.branch || values.branch,
            PAN: values.pan,
            AAdhar: values.aadhar,
            ctrans_password: values.transactionPassword,
          },
          key,
        )
      }
      outcome={({ data }) => outcomeOf(data.Result, data, DONE)}
      fields={FIELDS}
      onDone={() => {
        form.setFieldValue('transactionPassword', '')
        return refreshAll()
      }}
    >
      <Letters label={t.holder} most={LIMITS.holder} {...form.getInputProps('holder')} />
      <Digits label={t.account} most={LIMITS.account} {...form.getInputProps('account')} />
      <BranchFields form={form} known={known} />
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

interface BranchFieldsProps {
  form: CheckedForm<Values>
  known: ReturnType<typeof useIfsc>
}

/** Bank and branch come from the IFSC; unknown ones are typed. */
function BranchFields({ form, known }: BranchFieldsProps) {
  const { settings: t } = useMemberStrings()
  const ifsc = form.getInputProps('ifsc')
  const bank = form.getInputProps('bank')
  const branch = form.getInputProps('branch')
  return (
    <>
      <TextInput
        label={t.ifsc}
        maxLength={LIMITS.ifsc}
        spellCheck={false}
        {...ifsc}
        onChange={(event) => {
          ifsc.onChange(event)
          form.setFieldValue('bank', '')
          form.setFieldValue('branch', '')
        }}
      />
      <p role="status" className={styles.note}>
        {known.asked &&
          (known.bank === '' ? t.ifscUnknown : known.branch === '' && t.branchUnknown)}
      </p>
      <TextInput
        label={t.bankName}
        maxLength={LIMITS.bank}
        {...bank}
        value={known.bank || bank.value}
        readOnly={!known.asked || known.bank !== ''}
      />
      <TextInput
        label={t.branch}
        maxLength={LIMITS.bank}
        {...branch}
        value={known.branch || branch.value}
        readOnly={!known.asked || known.branch !== ''}
      />
    </>
  )
}
