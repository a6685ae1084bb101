import { TextInput, type TextInputProps } from '@mantine/core'
import { letters } from '@/lib/rules/rule.ts'

interface LettersProps extends Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> {
  value?: string
  onChange?: (value: string) => void
  /** How many characters fit. */
  most: number
}

/** Takes letters of any script and spaces; anything else typed or pasted is dropped. */
export function Letters({ most, onChange, ...props }: LettersProps) {
  return (
    <TextInput
      {...props}
      onChange={(event) => onChange?.(letters(event.currentTarget.value, most))}
    />
  )
}
