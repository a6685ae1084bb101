import { Modal, type ModalProps } from '@mantine/core'
import { useStrings } from '@/lib/strings/index.ts'

interface SendingModalProps extends Omit<ModalProps, 'closeButtonProps'> {
  /** Something is on its way, or another dialog asks: nothing closes this one meanwhile. */
  held: boolean
}

/** A dialog that something is sent from. It stays until the answer: who closed it would miss that. */
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
