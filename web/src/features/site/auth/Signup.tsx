import { Anchor, Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { type CheckedForm, outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { LookupFailed } from '@/components/form/LookupFailed.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { Restored } from '@/components/form/Restored.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { useCountryOptions } from '@/lib/queries/countries.ts'
import { type SignupValues, signupRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { digits, letters } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './AuthFrame.module.css'
import { AuthFrame } from './AuthFrame.tsx'
import { OK } from './access.ts'
import { DEFAULT_COUNTRY, usePhoneCode, useSponsor } from './lookups.ts'

/**
 * One digit more than a sponsor's id may have, so that a longer one shows an error and is not cut
 * off.
 */
const SPONSOR_INPUT = LIMITS.sponsor + 1
const POSITIONS = { Left: 1, Right: 2 } as const
const isPosition = (text: string | null): text is keyof typeof POSITIONS =>
  text !== null && Object.hasOwn(POSITIONS, text)

/** The call's names of fields that differ from the form's. */
const FIELDS: Record<string, string> = { sid: 'sponsor', countryid: 'country' }

interface Values extends SignupValues, Record<string, unknown> {
  /** For the welcome letter only; it is not sent. */
  title: string
}

type Form = CheckedForm<Values>

/** Passwords and the consent to the terms are not kept in the draft. */
const KEPT = ['sponsor', 'title', 'name', 'country', 'mobile', 'email', 'position'] as const

function useSignupForm(): Form {
  const [query] = useSearchParams()
  const position = query.get('Position1')
  const sponsor = digits(query.get('userid') ?? '', SPONSOR_INPUT)
  return useCheckedForm<Values>(
    {
      sponsor,
      sponsorKnown: undefined,
      title: 'Mr',
      name: '',
      country: DEFAULT_COUNTRY.id,
      mobile: '',
      email: '',
      password: '',
      confirm: '',
      position: isPosition(position) ? position : '',
      terms: false,
    },
    signupRules,
    // Each sign-up link has its own draft: one must not change the sponsor of another.
    { screen: `Signup.${sponsor}.${isPosition(position) ? position : ''}`, fields: KEPT },
  )
}

export function Component() {
  const { signup: t, actions } = useStrings()
  const navigate = useNavigate()
  const form = useSignupForm()
  const found = useSponsor(form.values.sponsor)
  const known = form.values.sponsor === '' ? undefined : found.sponsor?.known
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is a new object at each render
  useEffect(() => form.setFieldValue('sponsorKnown', known), [known])

  const { busy, submit } = useSend({
    form,
    call: (values, key) =>
      answerOf(api.POST('/api/registration', { body: bodyOf(values), ...underKey(key) })),
    outcome: ({ data }) => ({
      ...outcomeOf(data.result, data, [OK]),
      field: FIELDS[data.field ?? ''] ?? data.field,
    }),
    onDone: ({ data }) => navigate(`/WelcomePage?userid=${data.uid_output ?? ''}`),
  })
  return (
    <AuthFrame
      heading={t.heading}
      aside={{ heading: t.asideHeading, text: t.asideText }}
      onSubmit={submit}
    >
      <Restored form={form} />
      <Group legend={t.sponsorGroup}>
        <Invitation found={found} />
        <SponsorFields form={form} found={found} />
        <PositionField form={form} />
      </Group>
      <Group legend={t.youGroup}>
        <PersonFields form={form} />
      </Group>
      <Group legend={`${t.securityGroup}: ${t.passwordHint}`}>
        <PasswordFields form={form} />
      </Group>
      <Checkbox
        label={
          <>
            {t.accept}{' '}
            <Anchor inherit component={Link} to="/info/terms" target="_blank">
              {t.terms}
            </Anchor>
          </>
        }
        aria-invalid={Boolean(form.errors.terms)}
        {...form.getInputProps('terms', { type: 'checkbox' })}
      />
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.submit}
      </Button>
      <p className={styles.signup}>
        {t.haveAccount}{' '}
        <Anchor component={Link} to="/Login">
          {t.login}
        </Anchor>
      </p>
    </AuthFrame>
  )
}

const bodyOf = (values: Values) => ({
  sid: values.sponsor,
  name: values.name.trim(),
  position: isPosition(values.position) ? POSITIONS[values.position] : '',
  email: values.email,
  password: values.password,
  mobile: values.mobile,
  countryid: values.country,
})

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

/** Names the sponsor of a sign-up link. */
function Invitation({ found }: { found: ReturnType<typeof useSponsor> }) {
  const { signup: t } = useStrings()
  const [query] = useSearchParams()
  const name = found.sponsor?.known ? found.sponsor.name : undefined
  if (!query.get('userid') || !name) return null
  const position = query.get('Position1')
  const side = isPosition(position) && { Left: t.left, Right: t.right }[position]
  return (
    <p className={styles.chip} dir="auto">
      {side ? t.invitedTo({ name, side }) : t.invitedBy({ name })}
    </p>
  )
}

function PositionField({ form }: { form: Form }) {
  const { signup: t } = useStrings()
  return (
    <NativeSelect
      label={t.position}
      description={t.positionHint}
      data={[
        { value: '', label: t.choosePosition },
        { value: 'Left', label: t.left },
        { value: 'Right', label: t.right },
      ]}
      {...form.getInputProps('position')}
    />
  )
}

function SponsorFields({ form, found }: { form: Form; found: ReturnType<typeof useSponsor> }) {
  const { signup: t } = useStrings()
  const { sponsor, failed, retry, refusal } = found
  const wrong = form.values.sponsor !== '' && sponsor?.known === false
  const shown = form.values.sponsor === '' ? '' : wrong ? t.wrongSponsor : (sponsor?.name ?? '')
  return (
    <div className={styles.halves}>
      <div>
        <Digits label={t.sponsor} most={SPONSOR_INPUT} {...form.getInputProps('sponsor')} />
        {/* The form can be sent nevertheless: the server checks the sponsor. */}
        <p role="status">{failed && <LookupFailed retry={retry} refusal={refusal} />}</p>
      </div>
      <TextInput
        label={t.sponsorName}
        value={shown}
        title={shown}
        dir="auto"
        readOnly
        aria-live="polite"
        classNames={{ input: styles.lookup ?? '' }}
        data-wrong={wrong}
      />
    </div>
  )
}

function PersonFields({ form }: { form: Form }) {
  const { signup: t } = useStrings()
  const code = usePhoneCode(form.values.country)
  const name = form.getInputProps('name')
  const titles = Object.entries(t.titles).map(([value, label]) => ({ value, label }))
  const options = useCountryOptions()
  return (
    <>
      <div className={styles.pair}>
        <NativeSelect label={t.title} data={titles} {...form.getInputProps('title')} />
        <TextInput
          label={t.name}
          dir="auto"
          autoComplete="name"
          {...name}
          onChange={(event) => name.onChange(letters(event.currentTarget.value, LIMITS.name))}
        />
      </div>
      <NativeSelect
        label={t.country}
        data={[{ value: '', label: t.chooseCountry }, ...options]}
        {...form.getInputProps('country')}
      />
      <div className={styles.pair}>
        <TextInput label={t.phoneCode} value={code && `+${code}`} readOnly />
        <Digits
          label={t.mobile}
          most={LIMITS.mobile}
          autoComplete="tel-national"
          {...form.getInputProps('mobile')}
        />
      </div>
      <TextInput
        label={t.email}
        type="email"
        maxLength={LIMITS.email}
        autoComplete="email"
        {...form.getInputProps('email')}
      />
    </>
  )
}

function PasswordFields({ form }: { form: Form }) {
  const { signup: t } = useStrings()
  return (
    <div className={styles.halves}>
      <PasswordField
        label={t.password}
        maxLength={LIMITS.password}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t.confirm}
        maxLength={LIMITS.password}
        autoComplete="new-password"
        {...form.getInputProps('confirm')}
      />
    </div>
  )
}
