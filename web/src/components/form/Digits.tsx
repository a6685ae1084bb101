import { TextInput, type TextInputProps } from '@mantine/core'
import { digits } from '@/lib/rules/rule.ts'

interface DigitsProps extends Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> {
  value?: string
  onChange?: (value: string) => void
  /** How many digits fit. */
  most: number
}

/** Takes digits only; anything else typed or pasted is dropped. */
export function Digits({ most, onChange, ...props }: DigitsProps) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      onChange={(event) => onChange?.(digits(event.currentTarget.value, most))}
    />
  )
}
