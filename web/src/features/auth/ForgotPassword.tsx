import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { forgotRules, resetRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { OK } from './access.ts'

/** The answer that means yes; any other text is what went wrong. */
const SENT = 'Password sent to Email Id'

/** Asks for a letter, or, opened by the link in that letter, takes the new password. */
export function Component() {
  const [query] = useSearchParams()
  const token = query.get('reset')
  if (token) return <NewPassword token={token} userId={query.get('userid') ?? ''} />
  return <AskForLetter />
}

/** Ids grow longer when six digits run out: the server knows how long they are by now. */
function useIdLength(): number {
  const { data } = useQuery({
    queryKey: ['limits'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await answerOf(api.GET('/api/limits'))).data,
  })
  return data?.forgotPassword ?? LIMITS.forgotUserId
}

function AskForLetter() {
  const { forgot: t, actions } = useStrings()
  const navigate = useNavigate()
  const most = useIdLength()
  const form = useCheckedForm({ userId: '' }, forgotRules)
  const { busy, send } = useSend({
    form,
    call: ({ userId }, key) =>
      answerOf(
        api.POST('/api/ForgetPassword', { body: { uid: userId, otp: '' }, ...underKey(key) }),
      ),
    outcome: ({ data }) => ({ done: data === SENT, text: data }),
    onDone: () => navigate('/Login'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.passes()) void send()
  }
  return (
    <AuthFrame
      heading={t.heading}
      aside={{ heading: t.asideHeading, text: t.asideText }}
      onSubmit={submit}
    >
      <Digits
        label={t.userId}
        most={most}
        autoComplete="username"
        {...form.getInputProps('userId')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.submit}
      </Button>
      <Anchor component={Link} to="/">
        {t.home}
      </Anchor>
    </AuthFrame>
  )
}

function NewPassword({ token, userId }: { token: string; userId: string }) {
  const { forgot: t, actions } = useStrings()
  const navigate = useNavigate()
  const form = useCheckedForm({ password: '', confirm: '' }, resetRules)
  const { busy, send } = useSend({
    form,
    call: ({ password }, key) =>
      answerOf(
        api.POST('/api/ResetPassword', {
          body: { uid: userId, token, password },
          ...underKey(key),
        }),
      ),
    outcome: ({ data }) => ({ done: data === OK, text: data === OK ? t.resetDone : data }),
    onDone: () => navigate('/Login', { replace: true }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.passes()) void send()
  }
  return (
    <AuthFrame
      heading={t.resetHeading}
      aside={{ heading: t.asideHeading, text: t.resetText(userId) }}
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
