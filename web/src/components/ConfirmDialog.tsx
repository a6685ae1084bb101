import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { SendingModal } from './SendingModal.tsx'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  children?: ReactNode
  /** What the button says; "Confirm" otherwise. */
  confirm?: string
  /** What the button that closes it says; "Cancel" otherwise. */
  dismiss?: string
  busy?: boolean
  /** Whether who closes it is back where it was opened; not when there is a better place. */
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
  // While it fades away it is still there to be clicked, and has been answered.
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
        {/* The key that asked may still be held down: that answers nothing. */}
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
