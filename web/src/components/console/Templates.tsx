import { NativeSelect } from '@mantine/core'
import { useConsoleStrings } from '@/lib/strings/console.ts'

export interface Template {
  label: string
  text: string
}

interface TemplatesProps {
  templates: readonly Template[]
  /** The text so far: a template is appended to it. */
  value: string
  between: string
  disabled?: boolean
  onChange: (value: string) => void
}

/** A select that inserts a template into a text field. */
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

/** Templates from texts and labels with the same keys. */
export const templatesFrom = <Name extends string>(
  texts: Record<Name, string>,
  labels: Record<Name, string>,
) => (Object.keys(texts) as Name[]).map((name) => ({ label: labels[name], text: texts[name] }))
