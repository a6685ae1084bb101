import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { Digits } from '@/components/form/Digits.tsx'
import { type CheckedForm, outcomeOf, useCheckedForm } from '@/components/form/form.ts'
import { Letters } from '@/components/form/Letters.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { useCountryOptions } from '@/lib/queries/countries.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import type { Information } from '@/lib/queries/userInformation.ts'
import { type ProfileValues, profileRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { change } from './information.ts'
import styles from './Settings.module.css'

type Values = ProfileValues & Record<string, unknown>

const DONE = ['result.profile_updated']
const RELATIONS = [
  'Husband',
  'Wife',
  'Father',
  'Mother',
  'Brother',
  'Sister',
  'Uncle',
  'Aunty',
  'Son',
  'Daughter',
] as const
const GENDERS = ['Male', 'Female'] as const
const FIELDS = {
  f_name: 'firstName',
  l_name: 'lastName',
  counrtyid: 'country',
  countryid: 'country',
  DOB: 'dob',
  aboutUser: 'about',
  NomineeName: 'nominee',
  nomineerelation: 'relation',
  ctrans_password: 'transactionPassword',
} as const

export const PROFILE_DRAFT = {
  screen: 'ProfileSetting',
  fields: [
    'firstName',
    'lastName',
    'father',
    'country',
    'email',
    'mobile',
    'dob',
    'gender',
    'address',
    'about',
    'nominee',
    'relation',
  ],
} as const

const valuesOf = (saved: Information): Values => ({
  firstName: saved.f_name,
  lastName: saved.l_name,
  father: saved.father,
  country: saved.countryid ? String(saved.countryid) : '',
  email: saved.email,
  mobile: saved.mobile,
  dob: saved.dob,
  gender: saved.gender,
  address: saved.address,
  about: saved.aboutUser,
  nominee: saved.nomineename,
  relation: saved.nominerelation,
  transactionPassword: '',
})

const bodyOf = (uid: string, v: Values) => ({
  type: 'profile',
  uid,
  f_name: v.firstName,
  l_name: v.lastName,
  father: v.father,
  counrtyid: v.country,
  email: v.email,
  mobile: v.mobile,
  DOB: v.dob,
  gender: v.gender,
  address: v.address,
  aboutUser: v.about,
  NomineeName: v.nominee,
  nomineerelation: v.relation,
  ctrans_password: v.transactionPassword,
})

/** The member's profile; changes need the transaction password. */
export function ProfileForm({ saved }: { saved: Information }) {
  const { settings: t } = useMemberStrings()
  const { userId } = useSession()
  const form = useCheckedForm<Values>(valuesOf(saved), profileRules, PROFILE_DRAFT)
  return (
    <PlainForm
      form={form}
      submit={t.update}
      call={(values, key) => change(bodyOf(userId, values), key)}
      outcome={({ data }) => outcomeOf(data.Result, data, DONE)}
      fields={FIELDS}
      onDone={() => {
        form.setFieldValue('transactionPassword', '')
        return refreshAll()
      }}
    >
      <div className={styles.fields}>
        <PersonFields form={form} />
        <NomineeFields form={form} />
        <PasswordField
          label={t.transactionPassword}
          maxLength={LIMITS.transactionPassword}
          autoComplete="off"
          {...form.getInputProps('transactionPassword')}
        />
      </div>
    </PlainForm>
  )
}

function PersonFields({ form }: { form: CheckedForm<Values> }) {
  const { settings: t } = useMemberStrings()
  const countries = useCountryOptions()
  return (
    <>
      <Letters label={t.firstName} most={LIMITS.name} {...form.getInputProps('firstName')} />
      <Letters label={t.lastName} most={LIMITS.name} {...form.getInputProps('lastName')} />
      <Letters label={t.father} most={LIMITS.name} {...form.getInputProps('father')} />
      <NativeSelect
        label={t.country}
        data={[{ value: '', label: t.selectCountry }, ...countries]}
        {...form.getInputProps('country')}
      />
      <TextInput
        label={t.email}
        type="email"
        maxLength={LIMITS.email}
        autoComplete="email"
        {...form.getInputProps('email')}
      />
      <Digits label={t.mobile} most={LIMITS.mobile} {...form.getInputProps('mobile')} />
      <TextInput label={t.dob} type="date" {...form.getInputProps('dob')} />
      <NativeSelect
        label={t.gender}
        data={[
          { value: '', label: t.selectGender },
          ...GENDERS.map((value) => ({ value, label: t.genders[value] })),
        ]}
        {...form.getInputProps('gender')}
      />
      <Textarea label={t.address} maxLength={LIMITS.address} {...form.getInputProps('address')} />
      <Textarea label={t.aboutUs} maxLength={LIMITS.about} {...form.getInputProps('about')} />
    </>
  )
}

function NomineeFields({ form }: { form: CheckedForm<Values> }) {
  const { settings: t } = useMemberStrings()
  return (
    <>
      <Letters label={t.nominee} most={LIMITS.name} {...form.getInputProps('nominee')} />
      <NativeSelect
        label={t.relation}
        data={[
          { value: '', label: t.selectRelation },
          ...RELATIONS.map((value) => ({ value, label: t.relations[value] })),
        ]}
        {...form.getInputProps('relation')}
      />
    </>
  )
}
