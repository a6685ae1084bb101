import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { SendingModal } from './SendingModal.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  children?: ReactNode
  /** The text of the button; "Confirm" by default. */
  confirm?: string
  /** The text of the button that closes the dialog; "Cancel" by default. */
  dismiss?: string
  busy?: boolean
  /** Whether the focus returns to the button that opened the dialog. */
  returnFocus?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ opened, title, children, ...props }: ConfirmDialogProps) {
  const { actions } = useStrings()
  const {
    confirm = actions.confirm,
    dismiss = actions.cancel,
    busy = false,
    returnFocus = true,
    onConfirm,
    onClose,
  } = props
  // While the dialog fades out it can still be clicked, although it has been answered.
  const answered = busy || !opened
  return (
    <SendingModal
      held={busy}
      opened={opened}
      onClose={onClose}
      title={title}
      returnFocus={returnFocus}
    >
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} disabled={answered}>
          {dismiss}
        </Button>
        {/* The Enter key that opened the dialog may still be held down: it must not confirm. */}
        <Button
          onClick={onConfirm}
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          disabled={answered}
          data-autofocus
        >
          {busy ? actions.processing : confirm}
        </Button>
      </Group>
    </SendingModal>
  )
}
