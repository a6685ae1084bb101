import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'

/**
 * A password with a button that shows and hides it. A pasted text that is too long is refused: cut
 * off, it would be a different password.
 */
export function PasswordField(props: PasswordInputProps) {
  const { actions, rules } = useStrings()
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      // The kit marks every other input itself.
      aria-invalid={Boolean(props.error)}
      onPaste={(event) => {
        const most = props.maxLength ?? Number.POSITIVE_INFINITY
        if (event.clipboardData.getData('text').length <= most) return
        event.preventDefault()
        toast.error(rules.pastedLong({ most }))
      }}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        'aria-label': visible ? actions.hidePassword : actions.showPassword,
        'aria-hidden': false,
        tabIndex: 0,
      }}
    />
  )
}
