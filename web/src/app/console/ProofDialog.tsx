import { Alert, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import { answerOf, errorText, Refusal } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { askProofBy } from '@/lib/operator/proof.ts'
import { passkeysOptions } from '@/lib/operator/queries/passkeys.ts'
import { signByPasskey, whyNot } from '@/lib/passkey.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

type Schemas = components['schemas']

/** Above the dialog whose call needs the proof. */
const Z_INDEX = 300

/** Asks for a proof when a call needs one, and then repeats that call. */
export function ProofDialog() {
  const { console: t } = useConsoleStrings()
  const [opened, setOpened] = useState(false)
  const [busy, setBusy] = useState(false)
  const answer = useRef<(proved: boolean) => void>(undefined)

  useEffect(
    () =>
      askProofBy(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setOpened(true)
          }),
      ),
    [],
  )
  const end = (proved: boolean) => {
    setOpened(false)
    answer.current?.(proved)
  }
  return (
    <SendingModal
      held={busy}
      opened={opened}
      onClose={() => end(false)}
      title={t.proof.title}
      zIndex={Z_INDEX}
    >
      <ProofForm onBusy={setBusy} onCancel={() => end(false)} onProved={() => end(true)} />
    </SendingModal>
  )
}

/** Whether the operator has a passkey that works on this page. */
function useHasPasskey(): boolean {
  const { console: t } = useConsoleStrings()
  const { data } = useQuery({ ...passkeysOptions, retry: false })
  return (data?.passkeys.length ?? 0) > 0 && whyNot(data?.origin ?? '', t.passkeys) === ''
}

interface ProofFormProps {
  onBusy: (busy: boolean) => void
  onCancel: () => void
  onProved: () => void
}

function ProofForm({ onBusy, onCancel, onProved }: ProofFormProps) {
  const { actions, moneyForm, console: t } = useConsoleStrings()
  const [proof, setProof] = useState('')
  const [wrong, setWrong] = useState('')
  const [refusal, setRefusal] = useState('')
  const hasPasskey = useHasPasskey()
  const { busy, submit } = useSubmit(
    (body: Schemas['ProveInputBody']) =>
      answerOf(operatorApi.POST('/api/operator/prove', { body })),
    { keyless: true },
  )
  const passkey = useSubmit(
    async (_: object) => {
      const { data } = await answerOf(operatorApi.POST('/api/operator/passkey/prove'))
      const body = { passkey: await signByPasskey(data, t.passkeys) }
      return answerOf(operatorApi.POST('/api/operator/prove', { body }))
    },
    { keyless: true },
  )
  const waits = busy || passkey.busy
  useEffect(() => onBusy(waits), [waits, onBusy])

  const byPasskey = async () => {
    setRefusal('')
    setWrong('')
    try {
      if (await passkey.submit({})) onProved()
    } catch (error) {
      setRefusal(errorText(error, moneyForm.failed))
    }
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    // React sends events of a portal to the form of the dialog below.
    event.stopPropagation()
    setRefusal('')
    setWrong(proof === '' ? t.act.required : '')
    if (proof === '') return
    try {
      await submit({ proof })
      onProved()
    } catch (error) {
      const field = error instanceof Refusal ? error.fields.proof : undefined
      setWrong(field ?? '')
      if (field === undefined) setRefusal(errorText(error, moneyForm.failed))
    }
  }
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <p>{t.proof.text}</p>
      <PasswordField
        label={t.proof.field}
        value={proof}
        error={wrong}
        maxLength={200}
        autoComplete="current-password"
        required
        data-autofocus
        onChange={({ currentTarget: { value } }) => setProof(value)}
      />
      {refusal && <Alert variant="default" role="alert" title={refusal} mt="md" />}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} disabled={waits}>
          {actions.cancel}
        </Button>
        {hasPasskey && (
          <Button variant="default" onClick={() => void byPasskey()} disabled={waits}>
            {passkey.busy ? actions.processing : t.proof.passkey}
          </Button>
        )}
        <Button type="submit" disabled={waits}>
          {busy ? actions.processing : t.proof.confirm}
        </Button>
      </Group>
    </form>
  )
}
