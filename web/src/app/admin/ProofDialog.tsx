import { Alert, Button, Group } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import { answerOf, Refusal, wordsOf } from '@/lib/api/answer.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { askProofBy } from '@/lib/operator/proof.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

/** Above the dialog whose call asked for the proof. */
const Z_INDEX = 300

/** Asks for a proof when a call needs one; that call then goes on. */
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
  const { busy, submit } = useSubmit(
    (body: { proof: string }) => answerOf(operatorApi.POST('/api/operator/prove', { body })),
    { keyless: true },
  )
  useEffect(() => onBusy(busy), [busy, onBusy])

  const send = async (event: FormEvent) => {
    event.preventDefault()
    // Portals pass events on to the form of the dialog below.
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
      if (field === undefined) setRefusal(wordsOf(error, moneyForm.failed))
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
        <Button variant="default" onClick={onCancel} disabled={busy}>
          {actions.cancel}
        </Button>
        <Button type="submit" disabled={busy}>
          {busy ? actions.processing : t.proof.confirm}
        </Button>
      </Group>
    </form>
  )
}
