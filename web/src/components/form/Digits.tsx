import { TextInput, type TextInputProps } from '@mantine/core'
import { useRef } from 'react'
import { digits, isPastedAmount, wholeDollars } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'
import { useNoCents } from './cents.ts'

interface DigitsProps extends Omit<TextInputProps, 'value' | 'onChange' | 'maxLength'> {
  value?: string
  onChange?: (value: string) => void
  /** The number of digits that fit. */
  most: number
  /** An amount in whole dollars: cents can be pasted, where they are dropped, but not typed. */
  dollars?: boolean
}

/** Accepts digits only; other characters are dropped. */
export function Digits({ most, dollars = false, onChange, ...props }: DigitsProps) {
  const { rules } = useStrings()
  const input = useRef<HTMLInputElement>(null)
  const isLeftOut = useNoCents(input, dollars, () => toast.error(rules.typedCents))
  return (
    <TextInput
      {...props}
      ref={input}
      inputMode="numeric"
      onPaste={(event) => {
        if (!dollars || isPastedAmount(event.clipboardData.getData('text'))) return
        event.preventDefault()
        toast.error(rules.pastedAmount)
      }}
      onChange={({ currentTarget: { value } }) => {
        if (!isLeftOut()) onChange?.(digits(dollars ? wholeDollars(value) : value, most))
      }}
    />
  )
}
