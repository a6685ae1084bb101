import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import styles from '@/components/console/FormBox.module.css'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { QrCode } from '@/components/QrCode.tsx'
import { RecoveryCodes } from '@/components/RecoveryCodes.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { refreshConsole, useOperatorSession } from '@/lib/operator/queries/me.ts'
import { factorRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { factorBeginOptions } from './queries.ts'

interface EnrolProps {
  onCodes: () => void
  onDone: () => void
}

/** The first sign-in: the operator sets up an authenticator app and gets recovery codes once. */
export function Enrol({ onCodes, onDone }: EnrolProps) {
  const { console: t, actions } = useConsoleStrings()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { userId } = useOperatorSession()
  const begun = useQuery(factorBeginOptions(userId))
  const form = useCheckedForm({ code: '' }, factorRules)
  const { busy, submit } = useSend({
    form,
    call: (body, key) =>
      answerOf(operatorApi.POST('/api/operator/factor/confirm', { body, ...underKey(key) })),
    outcome: () => ({ done: true, text: t.enrol.done }),
    onDone: async ({ data }) => {
      onCodes()
      setCodes(data.recovery)
      await refreshConsole()
    },
  })
  if (codes) return <Codes codes={codes} onDone={onDone} />
  if (begun.error) {
    const retry = () => void begun.refetch()
    return <ErrorNotice error={begun.error} text={t.enrol.failed} onRetry={retry} />
  }
  if (!begun.data) return <Skeleton height={420} width={400} />

  const { uri, secret } = begun.data
  return (
    <form className={styles.box} onSubmit={submit} noValidate>
      <h1 className={styles.heading}>{t.enrol.heading}</h1>
      <p>{t.enrol.text}</p>
      <div className={styles.qr}>
        <QrCode text={uri} label={t.enrol.qr} />
      </div>
      <p className={layout.hint}>
        {t.enrol.secret} <span className={styles.secret}>{secret}</span>
      </p>
      <Digits
        label={t.enrol.code}
        most={LIMITS.otp}
        autoComplete="one-time-code"
        {...form.getInputProps('code')}
      />
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : t.enrol.submit}
      </Button>
    </form>
  )
}

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { console: t } = useConsoleStrings()
  return (
    <div className={styles.box}>
      <h1 className={styles.heading}>{t.enrol.codesHeading}</h1>
      <p>{t.enrol.codesText}</p>
      <div>
        <RecoveryCodes codes={codes} copied={t.enrol.copied} kept={t.enrol.kept} onKept={onDone} />
      </div>
    </div>
  )
}
