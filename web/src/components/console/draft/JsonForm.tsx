import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import styles from './JsonForm.module.css'
import {
  blankOf,
  isList,
  isObject,
  type Json,
  join,
  type Mistake,
  mistakesAt,
  readable,
  typed,
} from './tree.ts'

interface JsonFormProps {
  value: Json
  /** The path of the value in the document, as the server writes it. */
  path: string
  label: string
  mistakes: readonly Mistake[]
  /** The allowed values of fields, by the field's name. */
  choices?: Readonly<Record<string, readonly string[]>>
  /** A sample entry for lists that may be empty, by the list's name. */
  samples?: Readonly<Record<string, Json>>
  disabled?: boolean
  onChange: (value: Json) => void
}

/** The length from which a text gets several lines, and the fields that always do. */
const LONG = 60
const LONG_FIELDS = new Set(['text', 'lead', 'answer', 'paragraphs', 'note', 'notice'])

const isLong = (path: string, value: Json) =>
  typeof value === 'string' && (value.length > LONG || LONG_FIELDS.has(nameOf(path)))

const nameOf = (path: string) => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? ''

/** Edits any JSON value by its shape: texts, numbers, lists and groups. */
export function JsonForm(props: JsonFormProps) {
  const { value } = props
  if (isList(value)) return <ListForm {...props} value={value} />
  if (isObject(value)) return <GroupForm {...props} value={value} />
  return <ValueForm {...props} />
}

function ValueForm({ value, path, label, mistakes, choices, disabled, onChange }: JsonFormProps) {
  // The kind of a field does not change while the operator types.
  const [long] = useState(() => isLong(path, value))
  const [numeric] = useState(() => typeof value === 'number')
  const [typing, setTyping] = useState(false)
  const words = choices?.[nameOf(path)]
  const error = mistakesAt(mistakes, path)
  const common = { label, error, disabled: disabled ?? false }
  if (typeof value === 'boolean') {
    return (
      <Checkbox
        {...common}
        checked={value}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  const text = String(value ?? '')
  const say = (event: { currentTarget: { value: string } }) =>
    onChange(numeric ? numberOf(event.currentTarget.value) : event.currentTarget.value)
  if (words) return <NativeSelect {...common} data={[...words]} value={text} onChange={say} />
  if (long) return <Textarea {...common} rows={3} value={text} onChange={say} />
  return (
    <TextInput
      {...common}
      value={typing ? typed(path, text) : readable(path, text)}
      onChange={say}
      onFocus={() => setTyping(true)}
      onBlur={() => setTyping(false)}
      inputMode={numeric ? 'numeric' : 'text'}
    />
  )
}

/** A text that is no whole number stays as typed: the server reports the mistake. */
const numberOf = (text: string): Json => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)

type Of<Value> = Omit<JsonFormProps, 'value'> & { value: Value }

function GroupForm(props: Of<{ [key: string]: Json }>) {
  const { value, path, label, onChange } = props
  const { draft: t } = useConsoleStrings()
  return (
    <fieldset className={styles.group}>
      {label !== '' && <legend className={styles.legend}>{label}</legend>}
      {Object.entries(value).map(([key, inner]) => (
        <JsonForm
          {...props}
          key={key}
          value={inner}
          path={join(path, key)}
          label={labelOf(t.fields, key)}
          onChange={(next) => onChange({ ...value, [key]: next })}
        />
      ))}
      <Wrong mistakes={props.mistakes} path={path} />
    </fieldset>
  )
}

export const labelOf = (fields: Readonly<Record<string, string>>, key: string): string =>
  named(fields, key)

function ListForm(props: Of<Json[]>) {
  const { value, path, label, disabled, samples, onChange } = props
  const { draft: t } = useConsoleStrings()
  const replace = (index: number, next: Json) =>
    onChange(value.map((item, i) => (i === index ? next : item)))
  const sample = value.at(-1) ?? samples?.[nameOf(path)]
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{label}</legend>
      {value.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are identified by their place
        <div key={index} className={styles.item}>
          <JsonForm
            {...props}
            value={item}
            path={join(path, index)}
            label={t.entry({ list: label, number: index + 1 })}
            onChange={(next) => replace(index, next)}
          />
          {!disabled && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t.removeEntry({ list: label, number: index + 1 })}
              onClick={() => onChange(value.filter((_, i) => i !== index))}
            >
              {t.remove}
            </Button>
          )}
        </div>
      ))}
      <Wrong mistakes={props.mistakes} path={path} />
      {!disabled && sample !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          className={styles.add ?? ''}
          onClick={() => onChange([...value, anotherOf(value, sample)])}
        >
          {t.add({ list: label })}
        </Button>
      )}
    </fieldset>
  )
}

/** A new entry; its number, if it has one, is the next. */
function anotherOf(list: readonly Json[], sample: Json): Json {
  const blank = blankOf(sample)
  if (!isObject(blank) || typeof blank.id !== 'number') return blank
  const ids = list.map((item) => (isObject(item) && typeof item.id === 'number' ? item.id : 0))
  return { ...blank, id: Math.max(0, ...ids) + 1 }
}

/** The mistakes of a group or a list as a whole. */
function Wrong({ mistakes, path }: Pick<JsonFormProps, 'mistakes' | 'path'>) {
  const text = mistakesAt(mistakes, path)
  return text && <p className={styles.wrong}>{text}</p>
}
