import { Modal, type ModalProps } from '@mantine/core'
import { useStrings } from '@/lib/strings/index.ts'

interface SendingModalProps extends Omit<ModalProps, 'closeButtonProps'> {
  /** A call is in flight or another dialog is open: this one cannot be closed. */
  held: boolean
}

/** A dialog that sends something. It stays open until the answer, so that the user sees it. */
export function SendingModal({ held, ...props }: SendingModalProps) {
  const { actions } = useStrings()
  return (
    <Modal
      {...props}
      closeOnEscape={!held}
      closeOnClickOutside={!held}
      closeButtonProps={{ 'aria-label': actions.close, disabled: held }}
    />
  )
}
