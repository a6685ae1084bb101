import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi, operatorSession } from '@/lib/operator/client.ts'
import { useMe, useOperatorSession } from '@/lib/operator/me.ts'
import { operatorLoginRules } from '@/lib/rules/forms.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { Enrol } from './Enrol.tsx'
import styles from './SignIn.module.css'

const OK = 'Successfull'

/** Where somebody wanted to go before the sign-in was in the way: inside the console only. */
function wanted(state: unknown): string {
  const from = (state as { from?: unknown } | null)?.from
  return typeof from === 'string' && /^\/admin(\/|$|\?)/.test(from) ? from : '/admin'
}

export function Component() {
  const { isAuth } = useOperatorSession()
  const { data: me } = useMe()
  const { state } = useLocation()
  // Recovery codes are shown once: nobody is sent on before they have seen them.
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
    outcome: ({ data, token }) => {
      const done = data.result === OK && Boolean(token)
      return { done, text: done ? t.signIn.done : data.result }
    },
    onDone: ({ data, token }) =>
      operatorSession.set({
        isAuth: true,
        userId: data.resultid ?? '',
        username: data.resultusername ?? '',
        jwtToken: token ?? '',
      }),
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
    </form>
  )
}
