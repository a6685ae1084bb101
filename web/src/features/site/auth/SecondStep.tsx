import { Button, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { signByPasskey, whyNot } from '@/lib/passkey.ts'
import { secondRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { toast } from '@/lib/toast.ts'
import styles from './AuthFrame.module.css'
import { AuthFrame } from './AuthFrame.tsx'
import { isGranted, type LoginAnswer, type Second } from './access.ts'

interface SecondStepProps {
  step: Second
  ipAddress: string
  /** Signed in, before the redirect: nothing is sent any more. */
  granted: boolean
  onGranted: (answer: LoginAnswer) => void
  /** The password must be entered again. */
  onBack: () => void
}

type Proof = Pick<components['schemas']['SecondInputBody'], 'code' | 'passkey'>

/** The step after the password: a code of the authenticator app, a recovery code, or a passkey. */
export function SecondStep({ step, ipAddress, granted, onGranted, onBack }: SecondStepProps) {
  const { second: t, login, actions } = useStrings()
  const form = useCheckedForm({ code: '' }, secondRules)
  const { app, flow } = step
  const send = async (proof: Proof, key: string) => {
    const body = { flow, ipaddress: ipAddress, ...proof }
    const answer = await answerOf(api.POST('/api/login/factor', { body, ...underKey(key) }))
    if (answer.data.over) onBack()
    return answer
  }
  const { busy, submit } = useSend({
    form,
    call: ({ code }, key) => send({ code: code.replaceAll(' ', '') }, key),
    outcome: (answer) => outcomeOf(answer, login),
    onDone: onGranted,
  })
  const passkey = usePasskey(step, send, onGranted)
  const waits = busy || passkey.busy || granted
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  const byPasskey = passkey.why === '' && (
    <Button variant={app ? 'default' : 'filled'} disabled={waits} onClick={passkey.use}>
      {passkey.busy ? actions.processing : t.passkey}
    </Button>
  )
  return (
    <AuthFrame
      heading={t.heading}
      aside={{ heading: t.asideHeading, text: t.asideText }}
      onSubmit={submit}
    >
      <p>{app ? t.app : t.noApp}</p>
      {!app && byPasskey}
      <div ref={box}>
        <TextInput
          label={app ? t.code : t.recovery}
          maxLength={LIMITS.secondCode}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('code')}
        />
      </div>
      <Button type="submit" variant={byPasskey && !app ? 'default' : 'filled'} disabled={waits}>
        {busy ? actions.processing : t.submit}
      </Button>
      {app && byPasskey}
      {passkey.why && <p className={styles.signup}>{passkey.why}</p>}
      <Button variant="subtle" disabled={waits} onClick={onBack}>
        {t.back}
      </Button>
    </AuthFrame>
  )
}

function outcomeOf(answer: LoginAnswer, t: Strings['login']) {
  const done = isGranted(answer)
  const text = done ? t.success : serverText(answer.data.result, answer.data)
  return { done, text, field: 'code' }
}

/** Whether a passkey works on this page, and if not, why. */
function usePasskey(
  { flow, origin, passkey: options }: Second,
  send: (proof: Proof, key: string) => Promise<LoginAnswer>,
  onGranted: (answer: LoginAnswer) => void,
) {
  const { passkeyUse, login, moneyForm } = useStrings()
  const { busy, submit } = useSubmit(async (asked: Parameters<typeof signByPasskey>[0], key) =>
    send({ passkey: await signByPasskey(asked, passkeyUse) }, key),
  )
  const use = async () => {
    if (!options) return
    try {
      const answer = await submit({ flow, origin, options })
      if (answer === undefined) return
      if (isGranted(answer)) {
        toast.success(login.success)
        return onGranted(answer)
      }
      toast.error(serverText(answer.data.result, answer.data))
    } catch (error) {
      toast.error(errorText(error, moneyForm.failed))
    }
  }
  const why = options ? whyNot(origin, passkeyUse) : undefined
  return { busy, use: () => void use(), why }
}
