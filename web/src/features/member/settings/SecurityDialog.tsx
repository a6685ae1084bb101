import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Copy } from '@/components/Copy.tsx'
import { Digits } from '@/components/form/Digits.tsx'
import { useCheckedForm, useSend } from '@/components/form/form.ts'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { QrCode } from '@/components/QrCode.tsx'
import { RecoveryCodes } from '@/components/RecoveryCodes.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { whyNot } from '@/lib/passkey.ts'
import { type Factor, proveByPasskey, refreshFactor } from '@/lib/queries/factor.ts'
import { factorRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { email, type Rule, required } from '@/lib/rules/rule.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Settings.module.css'
import type { Change, Next } from './securityChanges.ts'

interface SecurityDialogProps {
  factor: Factor
  change: Change | null
  onClose: () => void
}

/** One change from start to end: the proof, then the secret to scan or the codes to save. */
export function SecurityDialog({ factor, change, onClose }: SecurityDialogProps) {
  const { security: t } = useMemberStrings()
  const [next, setNext] = useState<Next | null>(null)
  const [busy, setBusy] = useState(false)
  const close = () => {
    setNext(null)
    onClose()
  }
  const goOn = async (to: Next) => {
    if (to.stage === 'end') close()
    else setNext(to)
    await refreshFactor()
  }
  const title = next?.stage === 'scan' ? t.scan : next?.stage === 'codes' ? t.codes : change?.title
  return (
    <SendingModal
      // Codes are shown once: only their own button closes them.
      held={busy || next?.stage === 'codes'}
      opened={change !== null}
      onClose={close}
      title={title}
    >
      {change && !next && (
        <Ask factor={factor} change={change} onBusy={setBusy} onDone={goOn} onCancel={close} />
      )}
      {next?.stage === 'scan' && <Scan {...next} onBusy={setBusy} onDone={goOn} />}
      {next?.stage === 'codes' && (
        <>
          <p className={styles.above}>{t.codesText}</p>
          <RecoveryCodes codes={next.codes} copied={t.codesCopied} kept={t.kept} onKept={close} />
        </>
      )}
    </SendingModal>
  )
}

interface AskValues extends Record<string, unknown> {
  name: string
  email: string
  password: string
  code: string
  transactionPassword: string
}

interface AskProps {
  factor: Factor
  change: Change
  onBusy: (busy: boolean) => void
  onDone: (next: Next) => void
  onCancel: () => void
}

const rulesOf = (change: Change, code: boolean): readonly Rule<AskValues>[] => [
  ...(change.name === undefined ? [] : [required<AskValues>('name', (r) => r.deviceRequired)]),
  ...(change.email
    ? [
        required<AskValues>('email', (r) => r.emailRequired),
        email<AskValues>('email', (r) => r.emailInvalid),
      ]
    : []),
  ...(change.unproved ? [] : [required<AskValues>('password', (r) => r.passwordRequired)]),
  ...(change.pin
    ? [required<AskValues>('transactionPassword', (r) => r.transactionPasswordRequired)]
    : []),
  ...(code ? [required<AskValues>('code', (r) => r.codeRequired)] : []),
]

/** The password, and the second factor if there is one. */
function Ask({ factor, change, onBusy, onDone, onCancel }: AskProps) {
  const { security: t, settings, second, passkeyUse, actions } = useMemberStrings()
  const form = useCheckedForm<AskValues>(
    { name: change.name ?? '', email: '', password: '', code: '', transactionPassword: '' },
    [],
  )
  const asksFactor = factor.set !== '' && !change.unproved
  const hasPasskey =
    asksFactor && factor.passkeys.length > 0 && whyNot(factor.origin, passkeyUse) === ''
  const outcome = () => ({ done: true, text: change.done })
  const byCode = useSend({
    form,
    call: ({ name, email: address, password, code, transactionPassword: pin }, key) =>
      change.call(
        { password, ...(code && { code: code.replaceAll(' ', '') }) },
        change.email ? address : name,
        key,
        pin,
      ),
    outcome,
    onDone,
  })
  const byPasskey = useSend({
    form,
    call: async ({ name, email: address, password, transactionPassword: pin }, key) =>
      change.call(
        await proveByPasskey(password, passkeyUse),
        change.email ? address : name,
        key,
        pin,
      ),
    outcome,
    onDone,
  })
  const busy = byCode.busy || byPasskey.busy
  useEffect(() => onBusy(busy), [busy, onBusy])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && form.passes(rulesOf(change, asksFactor))) void byCode.send()
  }
  return (
    <form onSubmit={submit} noValidate className={styles.stack}>
      <p>{change.text}</p>
      {change.name !== undefined && (
        <TextInput
          label={t.name}
          maxLength={LIMITS.passkeyName}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
      {change.email && (
        <TextInput
          label={t.correctEmail}
          type="email"
          maxLength={LIMITS.email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('email')}
        />
      )}
      {!change.unproved && (
        <PasswordField
          label={t.password}
          maxLength={LIMITS.loginPassword}
          autoComplete="current-password"
          data-autofocus={(change.name === undefined && !change.email) || undefined}
          {...form.getInputProps('password')}
        />
      )}
      {change.pin && (
        <PasswordField
          label={settings.transactionPassword}
          maxLength={LIMITS.transactionPassword}
          autoComplete="off"
          {...form.getInputProps('transactionPassword')}
        />
      )}
      {asksFactor && (
        <TextInput
          label={factor.app ? t.code : second.recovery}
          maxLength={LIMITS.secondCode}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('code')}
        />
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {actions.cancel}
        </Button>
        {hasPasskey && (
          <Button
            variant="default"
            disabled={busy}
            onClick={() => form.passes(rulesOf(change, false)) && void byPasskey.send()}
          >
            {byPasskey.busy ? actions.processing : second.passkey}
          </Button>
        )}
        <Button type="submit" disabled={busy}>
          {byCode.busy ? actions.processing : change.confirm}
        </Button>
      </Group>
    </form>
  )
}

interface ScanProps {
  secret: string
  uri: string
  onBusy: (busy: boolean) => void
  onDone: (next: Next) => void
}

/** The app's secret as a QR code and as text; it is active after its first code. */
function Scan({ secret, uri, onBusy, onDone }: ScanProps) {
  const { security: t, actions } = useMemberStrings()
  const form = useCheckedForm({ code: '' }, factorRules)
  const { busy, submit } = useSend({
    form,
    call: (body, key) => answerOf(api.POST('/api/factor/confirm', { body, ...underKey(key) })),
    outcome: () => ({ done: true, text: t.appDone }),
    onDone: ({ data }) => onDone({ stage: 'codes', codes: data.recovery }),
  })
  useEffect(() => onBusy(busy), [busy, onBusy])
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <form onSubmit={submit} noValidate className={styles.stack}>
      <p>{t.scanText}</p>
      <QrCode text={uri} label={t.scanCode} />
      <div>
        <p className={styles.note}>{t.typeIn}</p>
        <Group gap="sm" justify="space-between">
          <span className={styles.secret}>{secret}</span>
          <Copy text={secret} copied={t.keyCopied} label={t.key} />
        </Group>
      </div>
      <div ref={box}>
        <Digits
          label={t.appCode}
          most={LIMITS.otp}
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
      </div>
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : actions.confirm}
      </Button>
    </form>
  )
}
