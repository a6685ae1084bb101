import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStrings } from '@/lib/strings/index.ts'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  children?: ReactNode
  /** What the button says; "Confirm" otherwise. */
  confirm?: string
  busy?: boolean
  /** Whether who closes it is back where it was opened; not when there is a better place. */
  returnFocus?: boolean
  onConfirm: () => void
  onClose: () => void
}

export function ConfirmDialog({ opened, title, children, ...props }: ConfirmDialogProps) {
  const { actions } = useStrings()
  const { confirm = actions.confirm, busy = false, returnFocus = true, onConfirm, onClose } = props
  // While it fades away it is still there to be clicked, and has been answered.
  const answered = busy || !opened
  return (
    <Modal
      opened={opened}
      onClose={busy ? () => {} : onClose}
      title={title}
      returnFocus={returnFocus}
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {children}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} disabled={answered}>
          {actions.cancel}
        </Button>
        <Button onClick={onConfirm} disabled={answered} data-autofocus>
          {busy ? actions.processing : confirm}
        </Button>
      </Group>
    </Modal>
  )
}
