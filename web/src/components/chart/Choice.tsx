import { useId } from 'react'
import styles from './Chart.module.css'

interface ChoiceProps<Value extends string | number> {
  legend: string
  value: Value
  options: readonly (readonly [Value, string])[]
  onChange: (value: Value) => void
}

/** A choice among a few short words in one line. */
export function Choice<Value extends string | number>({
  legend,
  value,
  options,
  onChange,
}: ChoiceProps<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.ranges}>
      <legend>{legend}</legend>
      {options.map(([one, text]) => (
        <label key={one}>
          <input type="radio" name={name} checked={value === one} onChange={() => onChange(one)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  )
}
