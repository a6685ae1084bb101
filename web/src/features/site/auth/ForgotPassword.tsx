import { Anchor, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { useFragment } from '@/lib/fragment.ts'
import { useIdLengths, useLimits } from '@/lib/queries/limits.ts'
import { forgotByCodeRules, forgotRules, resetRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { type LoginState, OK } from './access.ts'

/** The codes that mean success. */
const SENT = 'result.password_sent'
const CODE_SENT = 'result.code_sent'

/** Requests a mail, or, opened by the link in that mail, sets the new password. */
export function Component() {
  const link = useFragment()
  const token = link.get('reset')
  if (token) return <NewPassword token={token} userId={link.get('userid') ?? ''} />
  return <AskForLetter />
}

/**
 * If the installation asks for a code, the first press mails it and the second one requests the
 * link.
 */
function AskForLetter() {
  const { forgot: t, actions } = useStrings()
  const navigate = useNavigate()
  const { data: limits } = useLimits()
  const lengths = useIdLengths()
  const [codeFor, setCodeFor] = useState<string | null>(null)
  const form = useCheckedForm({ userId: '', otp: '' }, forgotRules)
  const step = stepOf(limits?.askOtp ?? false, form.values.userId === codeFor)
  const { busy, send } = useSend({
    form,
    call: ({ userId, otp }, key) =>
      answerOf(
        api.POST('/api/ForgetPassword', {
          body: { uid: userId, otp: step === 'code' ? otp : '' },
          ...underKey(key),
        }),
      ),
    outcome: (answer) => ({
      ...outcomeOf(answer.data, answer, [SENT, CODE_SENT]),
      field: step === 'code' ? 'otp' : 'userId',
    }),
    onDone: ({ code }) => {
      if (code === SENT) {
        const state: LoginState = { userId: form.getValues().userId, sent: true }
        return navigate('/Login', { state })
      }
      form.setFieldValue('otp', '')
      setCodeFor(form.getValues().userId)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.passes(step === 'code' ? forgotByCodeRules : forgotRules)) void send()
  }
  const label = step === 'ask' ? t.sendCode : t.submit
  return (
    <AuthFrame
      heading={t.heading}
      aside={{ heading: t.asideHeading, text: t.asideText }}
      onSubmit={submit}
    >
      <Digits
        label={t.userId}
        most={lengths.forgot}
        autoComplete="username"
        {...form.getInputProps('userId')}
      />
      {step === 'code' && (
        <Digits
          label={t.otp}
          description={t.otpHint}
          most={LIMITS.otp}
          autoComplete="one-time-code"
          {...form.getInputProps('otp')}
        />
      )}
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : label}
      </Button>
      {step === 'code' && (
        <Button variant="default" disabled={busy} onClick={() => setCodeFor(null)}>
          {t.otherCode}
        </Button>
      )}
      <Anchor component={Link} to="/">
        {t.home}
      </Anchor>
    </AuthFrame>
  )
}

type Step = 'letter' | 'ask' | 'code'

/** A code is valid for the id that it was requested for. */
function stepOf(asksCode: boolean, hasCode: boolean): Step {
  if (hasCode) return 'code'
  return asksCode ? 'ask' : 'letter'
}

function NewPassword({ token, userId }: { token: string; userId: string }) {
  const { forgot: t, actions } = useStrings()
  const navigate = useNavigate()
  const form = useCheckedForm({ password: '', confirm: '' }, resetRules)
  const { busy, submit } = useSend({
    form,
    call: ({ password }, key) =>
      answerOf(
        api.POST('/api/ResetPassword', {
          body: { uid: userId, token, password },
          ...underKey(key),
        }),
      ),
    outcome: (answer) => outcomeOf(answer.data, answer, [OK], t.resetDone),
    onDone: () => navigate('/Login', { replace: true }),
  })
  return (
    <AuthFrame
      heading={t.resetHeading}
      aside={{ heading: t.asideHeading, text: t.resetText({ userId }) }}
      onSubmit={submit}
    >
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
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.resetSubmit}
      </Button>
      <Anchor component={Link} to="/ForgotPassword">
        {t.again}
      </Anchor>
    </AuthFrame>
  )
}
