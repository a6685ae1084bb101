import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useId, useRef } from 'react'
import { Refusal, wordsOf } from '@/lib/api/answer.ts'
import { isUnanswered, useSubmit, wasDone } from '@/lib/api/submit.ts'
import { firstFailure, type Rule } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { term } from '@/lib/strings/speech.ts'
import { say } from '@/lib/toast.ts'
import { type Draft, useDraft, useKept } from './draft.ts'

export interface CheckedForm<Values> extends UseFormReturnType<Values> {
  /**
   * Runs the checks in order. The first failure is shown as a toast and at its field, which gets
   * the focus. `rules` replaces the checks of the form, for a form with two buttons.
   */
  passes: (rules?: readonly Rule<Values>[]) => boolean
  /** Shows an error at a field and focuses it. Returns whether there is such a field. */
  pointAt: (field: string, text: string) => boolean
  /** Shows an error as a toast. */
  complain: (text: string) => void
  /** Closes the toast of an error that is solved. */
  settle: () => void
  /** The form shows a restored draft. */
  restored: boolean
  /** Deletes the form's draft. */
  drop: () => void
}

export function useCheckedForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  rules: readonly Rule<Values>[],
  draft?: Draft<Values>,
): CheckedForm<Values> {
  const strings = useStrings()
  const kept = useKept(draft)
  // Two forms of a screen may have fields of the same name, so each form has an id.
  const name = useId().replaceAll('_', '-')
  const form = useForm<Values>({ name, initialValues: { ...initialValues, ...kept } })
  const { restored, drop } = useDraft(form, initialValues, draft, kept !== null)

  const complaints = useRef(new Set<string>())
  const complain = (text: string) => {
    complaints.current.add(say.error(text))
  }
  const settle = () => {
    for (const said of complaints.current) say.nevermind(said)
    complaints.current.clear()
  }
  const pointAt = (field: string, text: string) => {
    if (!Object.hasOwn(initialValues, field)) return false
    form.setFieldError(field, term(text))
    form.getInputNode(field)?.focus()
    return true
  }
  const passes = (which: readonly Rule<Values>[] = rules) => {
    const failure = firstFailure(form.getValues(), which, strings)
    // At once, not cleared and set again: the kit ignores the same text twice in a row.
    form.setErrors(failure ? { [failure.field]: failure.text } : {})
    if (!failure) return true
    complain(failure.text)
    form.getInputNode(failure.field)?.focus()
    return false
  }
  return Object.assign(form, { passes, pointAt, complain, settle, restored, drop })
}

/** The meaning of an answer: business results of a call are ordinary answers with a text. */
export interface Outcome {
  done: boolean
  /** Empty if the next screen shows the success. */
  text: string
  /** The field that the text is about. */
  field?: string | undefined
}

interface Sending<Values, Answer> {
  form: CheckedForm<Values>
  /** Sends under the given key; see lib/api/submit.ts. */
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  /** The form's field for a field name of the server, where they differ. */
  fields?: Readonly<Record<string, string>> | undefined
  onDone?: (answer: Answer) => unknown
  /** A step of several: the values are sent again later, so the draft is kept. */
  goesOn?: boolean
}

/** How sending ended. `at field` means not done, with the focus on that field. */
type Sent = 'done' | 'not done' | 'at field'

/**
 * Sends a form and shows the result: always as a toast, and at the field if the error is about one.
 * The values are never lost.
 */
export function useSend<Values, Answer>(sending: Sending<Values, Answer>) {
  const { form, call, outcome, fields = {}, onDone, goesOn = false } = sending
  const { moneyForm } = useStrings()
  const isDone = (answer: Answer) => outcome(answer).done
  const { busy, submit } = useSubmit(call, { isDone, keyless: goesOn })

  const refused = (about: Record<string, string>): Sent => {
    // The last error that is set gets the focus, so the first one is set last.
    const pointed = Object.entries(about)
      .toReversed()
      .map(([field, text]) => form.pointAt(fields[field] ?? field, text))
    return pointed.includes(true) ? 'at field' : 'not done'
  }
  const send = async (): Promise<Sent> => {
    const again = !goesOn && isUnanswered(form.getValues())
    try {
      const answer = await submit(form.getValues())
      if (answer === undefined) return 'not done'
      const { done, text, field } = outcome(answer)
      if (!done) {
        form.complain(text)
        return refused(field ? { [field]: text } : {})
      }
      form.settle()
      if (text !== '') say.success(text)
      if (again) say.info(moneyForm.once)
      if (!goesOn) form.drop()
      await onDone?.(answer)
      return 'done'
    } catch (error) {
      if (again && wasDone(error)) {
        form.settle()
        say.info(moneyForm.doneBefore)
        form.drop()
        return 'not done'
      }
      form.complain(wordsOf(error, moneyForm.failed))
      return refused(error instanceof Refusal ? error.fields : {})
    }
  }
  /** For a form that is sent by its button as soon as its values pass the checks. */
  const checkAndSend = (event: FormEvent) => {
    event.preventDefault()
    if (form.passes()) void send()
  }
  return { busy, send, submit: checkAndSend }
}
