import { Button } from '@mantine/core'
import { useState } from 'react'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'

/** Mails the link again that confirms the member's e-mail address. */
export function SendLinkAgain({ to }: { to: string }) {
  const { memberShell: t, actions } = useStrings()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await answerOf(api.POST('/api/email/send'))
      toast.success(t.emailSent({ email: to }))
    } catch (error) {
      toast.error(errorText(error, t.emailNotSent))
    }
    setBusy(false)
  }
  return (
    <Button size="xs" variant="default" disabled={busy} onClick={() => void send()}>
      {busy ? actions.processing : t.emailAgain}
    </Button>
  )
}
