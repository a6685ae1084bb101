import { Button, TextInput } from '@mantine/core'
import styles from '@/components/console/FormBox.module.css'
import layout from '@/components/console/layout.module.css'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { proofOf } from '@/lib/operator/passkey.ts'
import { refreshConsole } from '@/lib/operator/queries/me.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { changePasswordRules } from '@/lib/rules/forms.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

/** Changes the operator's password, with the old one and the second factor. */
export function Component() {
  const { console: t, actions } = useConsoleStrings()
  const title = useRouteTitle()
  const form = useCheckedForm(
    { password: '', newPassword: '', confirm: '', code: '' },
    changePasswordRules,
  )
  const { busy, submit } = useSend({
    form,
    call: async ({ newPassword, password, code }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/password', {
          body: { newPassword, ...(await proofOf({ password, code }, t.passkeys)) },
          ...underKey(key),
        }),
      ),
    outcome: () => ({ done: true, text: t.password.done }),
    onDone: async () => {
      form.reset()
      await refreshConsole()
    },
  })
  return (
    <>
      <PageHeader title={title} />
      <form className={styles.box} onSubmit={submit} noValidate>
        <p className={layout.hint}>{t.password.text}</p>
        <PasswordField
          label={t.password.old}
          autoComplete="current-password"
          maxLength={200}
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={t.password.new}
          autoComplete="new-password"
          maxLength={200}
          {...form.getInputProps('newPassword')}
        />
        <PasswordField
          label={t.password.confirm}
          autoComplete="new-password"
          maxLength={200}
          {...form.getInputProps('confirm')}
        />
        <TextInput
          label={t.passkeys.code}
          autoComplete="one-time-code"
          maxLength={30}
          {...form.getInputProps('code')}
        />
        <Button type="submit" disabled={busy}>
          {busy ? actions.processing : t.password.submit}
        </Button>
      </form>
    </>
  )
}
