import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import styles from '@/components/console/FormBox.module.css'
import layout from '@/components/console/layout.module.css'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { useFragment } from '@/lib/fragment.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { acceptRules } from '@/lib/rules/forms.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

/** The target of the mailed invitation: a new operator chooses a password. */
export function Component() {
  const { console: t, actions } = useConsoleStrings()
  const link = useFragment()
  const navigate = useNavigate()
  const form = useCheckedForm({ password: '', confirm: '' }, acceptRules)
  const { busy, submit } = useSend({
    form,
    call: ({ password }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/accept', {
          body: {
            operator: link.get('operator') ?? '',
            token: link.get('token') ?? '',
            password,
          },
          ...underKey(key),
        }),
      ),
    outcome: () => ({ done: true, text: t.accept.done }),
    onDone: () => navigate('/admin/login', { replace: true }),
  })
  return (
    <form className={styles.box} onSubmit={submit} noValidate>
      <h1 className={styles.heading}>{t.accept.heading}</h1>
      <p className={layout.hint}>{t.accept.text}</p>
      <PasswordField
        label={t.accept.password}
        autoComplete="new-password"
        maxLength={200}
        {...form.getInputProps('password')}
      />
      <PasswordField
        label={t.accept.confirm}
        autoComplete="new-password"
        maxLength={200}
        {...form.getInputProps('confirm')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.accept.submit}
      </Button>
    </form>
  )
}
