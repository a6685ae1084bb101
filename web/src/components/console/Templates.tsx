import { NativeSelect } from '@mantine/core'
import { useConsoleStrings } from '@/lib/strings/console.ts'

export interface Template {
  label: string
  text: string
}

interface TemplatesProps {
  templates: readonly Template[]
  /** What is written already: it stays, and a template comes after it. */
  value: string
  between: string
  disabled?: boolean
  onChange: (value: string) => void
}

/** Texts that operators often write, put into a field. */
export function Templates({ templates, value, between, disabled, onChange }: TemplatesProps) {
  const { console: t } = useConsoleStrings()
  const choices = templates.map(({ label }, index) => ({ value: String(index), label }))
  return (
    <NativeSelect
      label={t.act.template}
      value=""
      {...(disabled && { disabled })}
      data={[{ value: '', label: t.act.choose }, ...choices]}
      onChange={({ currentTarget: { value: chosen } }) => {
        const text = chosen === '' ? undefined : templates[Number(chosen)]?.text
        if (text) onChange(value.trim() === '' ? text : `${value.trimEnd()}${between}${text}`)
      }}
    />
  )
}

/** Templates from their texts and labels, which have the same names. */
export const templatesFrom = <Name extends string>(
  texts: Record<Name, string>,
  labels: Record<Name, string>,
) => (Object.keys(texts) as Name[]).map((name) => ({ label: labels[name], text: texts[name] }))
