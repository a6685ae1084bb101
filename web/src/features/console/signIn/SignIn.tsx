import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import styles from '@/components/console/FormBox.module.css'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { operatorApi, operatorSession } from '@/lib/operator/client.ts'
import { signInByPasskey } from '@/lib/operator/passkey.ts'
import { useMe, useOperatorSession } from '@/lib/operator/queries/me.ts'
import { operatorLoginRules } from '@/lib/rules/forms.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { toast } from '@/lib/toast.ts'
import { Enrol } from './Enrol.tsx'

const OK = 'result.successful'

type Answer = components['schemas']['OperatorLoginAnswer']

const isDone = ({ data, token }: Answer) => data.code === OK && Boolean(token)

const refusalOf = ({ data }: Answer) => serverText(data.result, data)

const enter = ({ data, token }: Answer) =>
  operatorSession.set({
    isAuth: true,
    userId: data.resultid ?? '',
    username: data.resultusername ?? '',
    jwtToken: token ?? '',
  })

/** The address to return to after the sign-in, inside the console only. */
function wanted(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from
  return typeof from === 'string' && /^\/admin(\/|$|\?)/.test(from) ? from : '/admin'
}

export function Component() {
  const { isAuth } = useOperatorSession()
  const { data: me } = useMe()
  const { state } = useLocation()
  // Recovery codes are shown once: the next screen waits until they are confirmed.
  const [showing, setShowing] = useState(false)
  if (isAuth !== true) return <Form />
  if (me?.mustEnrol || showing) {
    return <Enrol onCodes={() => setShowing(true)} onDone={() => setShowing(false)} />
  }
  return me ? <Navigate to={wanted(state)} replace /> : null
}

function Form() {
  const { console: t, actions } = useConsoleStrings()
  const form = useCheckedForm({ email: '', password: '', code: '' }, operatorLoginRules)
  const { busy, submit } = useSend({
    form,
    call: (body, key) =>
      answerOf(
        operatorApi.POST('/api/operator/login', {
          body: { ...body, code: body.code.replaceAll(' ', '') },
          ...underKey(key),
        }),
      ),
    outcome: (answer) => {
      const done = isDone(answer)
      return { done, text: done ? t.signIn.done : refusalOf(answer) }
    },
    onDone: enter,
  })
  return (
    <form className={styles.box} onSubmit={submit} noValidate>
      <h1 className={styles.heading}>{t.signIn.heading}</h1>
      <TextInput
        label={t.signIn.email}
        type="email"
        autoComplete="username"
        maxLength={100}
        {...form.getInputProps('email')}
      />
      <PasswordField
        label={t.signIn.password}
        autoComplete="current-password"
        maxLength={200}
        {...form.getInputProps('password')}
      />
      <TextInput
        label={t.signIn.code}
        description={t.signIn.codeHint}
        autoComplete="one-time-code"
        maxLength={30}
        {...form.getInputProps('code')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.signIn.submit}
      </Button>
      <PasskeyButton />
    </form>
  )
}

/** A passkey replaces all three fields. */
function PasskeyButton() {
  const { console: t, actions, moneyForm } = useConsoleStrings()
  const { busy, submit } = useSubmit((_: object, key) => signInByPasskey(key, t.passkeys))
  const signIn = async () => {
    try {
      const answer = await submit({})
      if (answer === undefined) return
      if (!isDone(answer)) return toast.error(refusalOf(answer))
      toast.success(t.signIn.done)
      enter(answer)
    } catch (error) {
      toast.error(errorText(error, moneyForm.failed))
    }
  }
  return (
    <Button variant="default" disabled={busy} onClick={() => void signIn()}>
      {busy ? actions.processing : t.signIn.passkey}
    </Button>
  )
}
