import { Button, NativeSelect, TextInput } from '@mantine/core'
import { Search } from 'lucide-react'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './FilterBar.module.css'
import { backwards, type Filter, PRESETS, periodOf, presetDays } from './filters.ts'

interface FilterBarProps {
  filters: readonly Filter[]
  /** The current values of the filters. */
  values: Record<string, string>
  onSearch: (values: Record<string, string>) => void
  ref?: Ref<HTMLFormElement>
}

/** The filters above a list. They apply when Search is pressed. */
export function FilterBar({ filters, values, onSearch, ref }: FilterBarProps) {
  const { actions, filters: t } = useStrings()
  const [draft, setDraft] = useState(values)
  /** The name of the filter with an error. */
  const [refused, setRefused] = useState('')
  const fields = useRef<Record<string, HTMLInputElement | null>>({})
  // Back and Forward change the address and with it the values.
  const [shown, setShown] = useState(values)
  if (shown !== values) {
    setShown(values)
    setDraft(values)
    setRefused('')
  }
  const search = (event: FormEvent) => {
    event.preventDefault()
    const wrong = backwards(filters, draft)?.last ?? ''
    setRefused(wrong)
    if (wrong === '') onSearch(draft)
    else fields.current[wrong]?.focus()
  }
  const period = periodOf(filters)
  return (
    <search aria-label={t.label}>
      {period && (
        <fieldset className={styles.presets}>
          <legend>{t.presets}</legend>
          {PRESETS.map((preset) => {
            const [first, last] = presetDays(preset)
            return (
              <button
                key={preset}
                type="button"
                aria-pressed={values[period.first] === first && values[period.last] === last}
                onClick={() => {
                  setRefused('')
                  onSearch({ ...draft, [period.first]: first, [period.last]: last })
                }}
              >
                {t[preset]}
              </button>
            )
          })}
        </fieldset>
      )}
      <form ref={ref} className={styles.bar} onSubmit={search}>
        {filters.map((filter) => {
          const common = {
            label: filter.label,
            value: draft[filter.name] ?? '',
            onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
              setDraft({ ...draft, [filter.name]: value })
              setRefused('')
            },
          }
          if (filter.kind === 'select') {
            return <NativeSelect key={filter.name} {...common} data={[...filter.options]} />
          }
          return filter.kind === 'text' ? (
            <TextInput key={filter.name} {...common} maxLength={filter.most} />
          ) : (
            <TextInput
              key={filter.name}
              {...common}
              type="date"
              withAsterisk={filter.marked ?? false}
              error={filter.name === refused && t.backwards}
              ref={(field) => {
                fields.current[filter.name] = field
              }}
            />
          )
        })}
        <Button type="submit" leftSection={<Search size={16} aria-hidden="true" />}>
          {actions.search}
        </Button>
      </form>
    </search>
  )
}
