import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { Leaves } from '@/components/Leaves.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { session } from '@/lib/api/session.ts'
import { underKey } from '@/lib/api/submit.ts'
import { loginRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'
import styles from './Login.module.css'

/** How long the success can be read before the dashboard opens. */
const REDIRECT_MS = 1_000
const OK = 'Successfull'

export function Component() {
  const { login: t, actions } = useStrings()
  const form = useCheckedForm({ userId: '', password: '' }, loginRules)
  const address = useAddress()
  const goOn = useDelayedGo(REDIRECT_MS)

  const { busy, send } = useSend({
    form,
    call: ({ userId, password }, key) =>
      answerOf(
        api.POST('/api/login', {
          body: { uid: userId, password, ipaddress: address.data ?? '' },
          ...underKey(key),
        }),
      ),
    outcome: ({ data, token }) => {
      const done = data.result === OK && Boolean(token)
      return { done, text: done ? t.success : t.refused }
    },
    onDone: ({ data, token }) => {
      session.set({
        isAuth: true,
        userId: data.resultid ?? '',
        username: data.resultusername ?? '',
        jwtToken: token ?? '',
        ipAddress: address.data ?? '',
      })
      // A temporary password opens nothing before it is changed.
      goOn(data.mustChange ? '/ChangePassword' : '/dashboard')
    },
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.passes()) return
    if (address.data !== undefined) void send()
    else if (address.isError) {
      say.error(t.noAddress)
      void address.refetch()
    }
  }
  return (
    <div className={styles.page}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h1 className={styles.heading}>{t.heading}</h1>
        <Digits
          label={t.userId}
          most={LIMITS.loginUserId}
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
        {/* Not before the address is known: it goes with the call. */}
        <Button type="submit" disabled={busy || address.isPending}>
          {busy ? actions.processing : t.submit}
        </Button>
        <p className={styles.signup}>
          {t.noAccount}{' '}
          <Anchor component={Link} to="/Signup">
            {t.signup}
          </Anchor>
        </p>
      </form>
      <aside className={styles.hello}>
        <Leaves size={72} />
        <h2 className={styles.helloHeading}>{t.hello}</h2>
        <p>{t.helloText}</p>
      </aside>
    </div>
  )
}

/** The address that the server sees, which is looked up before anybody logs in. */
function useAddress() {
  return useQuery({
    queryKey: ['ip'],
    queryFn: async () => (await answerOf(api.GET('/api/ip'))).ip,
  })
}

/** Goes to an address after a while, unless the screen is left before. */
function useDelayedGo(delay: number) {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (to: string) => {
    timer.current = setTimeout(() => void navigate(to), delay)
  }
}
