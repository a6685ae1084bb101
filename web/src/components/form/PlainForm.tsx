import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import { type CheckedForm, type Outcome, useSend } from './form.ts'
import styles from './MoneyForm.module.css'
import { Restored } from './Restored.tsx'

interface PlainFormProps<Values, Answer> {
  form: CheckedForm<Values>
  children: ReactNode
  /** The text of the button; "Submit" by default. */
  submit?: string
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  fields?: Readonly<Record<string, string>>
  onDone?: (answer: Answer) => unknown
}

/** A form that moves no money: checks, one call, a toast. */
export function PlainForm<Values, Answer>(props: PlainFormProps<Values, Answer>) {
  const { form, children, call, outcome, fields, onDone } = props
  const { actions } = useStrings()
  const { busy, submit } = useSend({ form, call, outcome, fields, ...(onDone && { onDone }) })
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <Restored form={form} />
      {children}
      <Button type="submit" disabled={busy}>
        {busy ? actions.processing : (props.submit ?? actions.submit)}
      </Button>
    </form>
  )
}
