import { Alert, Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { keepOnlyDraftsOf } from '@/lib/drafts.ts'
import { useIdLengths } from '@/lib/queries/limits.ts'
import { loginRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { SESSION_ENDED } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'
import styles from './AuthFrame.module.css'
import { AuthFrame } from './AuthFrame.tsx'
import {
  enter,
  isGranted,
  type LoginAnswer,
  type LoginState,
  type Second,
  useDelayedGo,
} from './access.ts'
import { ipOptions } from './queries.ts'
import { SecondStep } from './SecondStep.tsx'

export function Component() {
  const { login: t, actions, drafts } = useStrings()
  const { state } = useLocation()
  const { userId = '', sent = false }: LoginState = state ?? {}
  const form = useCheckedForm({ userId, password: '' }, loginRules)
  const address = useQuery(ipOptions)
  const lengths = useIdLengths()
  const goOn = useDelayedGo()
  /** Signed in, before the redirect: a second press would open another session. */
  const [granted, setGranted] = useState(false)
  const [next, setNext] = useState<Second | null>(null)

  const onGranted = (answer: LoginAnswer) => {
    setGranted(true)
    enter(answer, address.data ?? '')
    if (keepOnlyDraftsOf(answer.data.resultid ?? '')) toast.info(drafts.kept)
    // With a temporary password only its change is open.
    goOn(answer.data.mustChange ? '/ChangePassword' : '/dashboard')
  }
  const { busy, send } = useSend({
    form,
    call: ({ userId, password }, key) =>
      answerOf(
        api.POST('/api/login', {
          body: { uid: userId, password, ipaddress: address.data ?? '' },
          ...underKey(key),
        }),
      ),
    outcome: (answer) => {
      const done = isGranted(answer)
      if (!done && answer.data.second) return { done: true, text: '' }
      return { done, text: done ? t.success : t.refused }
    },
    onDone: (answer) => {
      const { second: step } = answer.data
      if (isGranted(answer) || !step) return onGranted(answer)
      form.setFieldValue('password', '')
      setNext(step)
    },
  })

  // Not before the address is known: the call contains it.
  const waits = busy || granted || address.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (granted || !form.passes()) return
    if (address.data !== undefined) void send()
    else if (address.isError) {
      toast.error(t.noAddress)
      void address.refetch()
    }
  }
  if (next) {
    return (
      <SecondStep
        step={next}
        ipAddress={address.data ?? ''}
        granted={granted}
        onGranted={onGranted}
        onBack={() => setNext(null)}
      />
    )
  }
  return (
    <AuthFrame
      heading={t.heading}
      aside={{ heading: t.hello, text: t.helloText }}
      onSubmit={submit}
    >
      <Ended />
      {sent && (
        <Alert variant="default" role="status" title={t.sent}>
          {t.sentText}
        </Alert>
      )}
      <Digits
        label={t.userId}
        most={lengths.login}
        autoComplete="username"
        {...form.getInputProps('userId')}
      />
      <PasswordField
        label={t.password}
        maxLength={LIMITS.loginPassword}
        autoComplete="current-password"
        {...form.getInputProps('password')}
      />
      <Anchor component={Link} to="/ForgotPassword" className={styles.forgot ?? ''}>
        {t.forgot}
      </Anchor>
      <Button type="submit" disabled={waits}>
        {waits ? actions.processing : t.submit}
      </Button>
      <p className={styles.signup}>
        {t.noAccount}{' '}
        <Anchor component={Link} to="/Signup">
          {t.signup}
        </Anchor>
      </p>
    </AuthFrame>
  )
}

/**
 * Members redirected to the login after their session ends see a message once: a reload opens the
 * plain login.
 */
function Ended() {
  const { login: t } = useStrings()
  const { state } = useLocation()
  const navigate = useNavigate()
  const came = state === SESSION_ENDED
  const [ended] = useState(came)
  useEffect(() => {
    if (came) void navigate('.', { replace: true, state: null })
  }, [came, navigate])
  return ended && <Alert variant="default" role="status" title={t.ended} />
}
