import { TextInput, type TextInputProps } from '@mantine/core'
import { letters } from '@/lib/rules/rule.ts'

interface LettersProps extends Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> {
  value?: string
  onChange?: (value: string) => void
  /** The number of characters that fit. */
  most: number
}

/** Accepts letters of any script, spaces, apostrophes and hyphens; other characters are dropped. */
export function Letters({ most, onChange, ...props }: LettersProps) {
  return (
    <TextInput
      {...props}
      onChange={(event) => onChange?.(letters(event.currentTarget.value, most))}
    />
  )
}
