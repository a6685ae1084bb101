import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'

/** A password with a button, reachable by keyboard, that shows and hides it. */
export function PasswordField(props: PasswordInputProps) {
  const { actions } = useStrings()
  const [visible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
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
