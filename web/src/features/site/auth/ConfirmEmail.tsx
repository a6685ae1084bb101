import { Anchor, Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { outcomeOf, useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf, Refusal } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useFragment } from '@/lib/fragment.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { AuthFrame } from './AuthFrame.tsx'
import { OK } from './access.ts'

/**
 * The target of a mailed link: confirms an e-mail address, or restores a former one. It acts only
 * after a press, because mail programs open links to scan them.
 */
export function Component() {
  const link = useFragment()
  return <MailedLink key={link.toString()} link={link} />
}

function MailedLink({ link }: { link: URLSearchParams }) {
  const { confirmEmail: t, actions } = useStrings()
  const undo = link.get('undo')
  const token = undo ?? link.get('confirm') ?? ''
  const uid = link.get('userid') ?? ''
  const [done, setDone] = useState(false)
  const [asksPassword, setAsksPassword] = useState(false)
  const form = useCheckedForm({ password: '' }, [])
  const open = async ({ password }: { password: string }) => {
    try {
      return undo
        ? await answerOf(api.POST('/api/email/undo', { body: { uid, token } }))
        : await answerOf(
            api.POST('/api/email/confirm', { body: { uid, token, ...(password && { password }) } }),
          )
    } catch (error) {
      // Without a session a first address needs the password.
      if (error instanceof Refusal && error.fields.password) setAsksPassword(true)
      throw error
    }
  }
  const { busy, send } = useSend({
    form,
    call: open,
    outcome: (answer) => outcomeOf(answer.data, answer, [OK], ''),
    onDone: () => setDone(true),
  })
  const words = undo ? t.undo : t.confirm
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  if (!token) {
    return (
      <AuthFrame heading={t.wrong} aside={t.aside} onSubmit={submit}>
        <p>{t.wrongText}</p>
        <Anchor component={Link} to="/Login">
          {t.login}
        </Anchor>
      </AuthFrame>
    )
  }
  if (done) {
    return (
      <AuthFrame heading={words.doneHeading} aside={t.aside} onSubmit={submit}>
        <p role="status">{words.doneText}</p>
        <Button component={Link} to={undo ? '/ForgotPassword' : '/Login'}>
          {undo ? t.newPassword : t.login}
        </Button>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame heading={words.heading} aside={t.aside} onSubmit={submit}>
      <p>{words.text({ userId: uid })}</p>
      {asksPassword && (
        <PasswordField
          label={t.password}
          maxLength={LIMITS.loginPassword}
          autoComplete="current-password"
          autoFocus
          {...form.getInputProps('password')}
        />
      )}
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : words.submit}
      </Button>
      <Anchor component={Link} to="/">
        {t.home}
      </Anchor>
    </AuthFrame>
  )
}
