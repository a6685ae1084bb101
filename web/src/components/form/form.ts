import { type UseFormReturnType, useForm } from '@mantine/form'
import { Refusal, wordsOf } from '@/lib/api/answer.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { firstFailure, type Rule } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'

export interface CheckedForm<Values> extends UseFormReturnType<Values> {
  /**
   * Makes the checks in their order. The first that fails is told as a toast and at its field,
   * which gets the focus. `rules` stands in for the form's own, for a form with two buttons.
   */
  passes: (rules?: readonly Rule<Values>[]) => boolean
  /** Says at a field what is wrong with it, and goes there. Unknown fields are left alone. */
  pointAt: (field: string, text: string) => void
}

export function useCheckedForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  rules: readonly Rule<Values>[],
): CheckedForm<Values> {
  const strings = useStrings()
  const form = useForm<Values>({ initialValues })

  const pointAt = (field: string, text: string) => {
    if (!Object.hasOwn(initialValues, field)) return
    form.setFieldError(field, text)
    document.querySelector<HTMLElement>(`[data-path="${field}"]`)?.focus()
  }
  const passes = (which: readonly Rule<Values>[] = rules) => {
    form.clearErrors()
    const failure = firstFailure(form.getValues(), which, strings)
    if (!failure) return true
    say.error(failure.text)
    pointAt(failure.field, failure.text)
    return false
  }
  return Object.assign(form, { passes, pointAt })
}

/** What an answer means: the business outcomes of a call are ordinary answers with a text. */
export interface Outcome {
  done: boolean
  text: string
  /** The form's field that the text is about. */
  field?: string | undefined
}

interface Sending<Values, Answer> {
  form: CheckedForm<Values>
  /** Sends under the given key; see lib/api/submit.ts. */
  call: (values: Values, key: string) => Promise<Answer>
  outcome: (answer: Answer) => Outcome
  /** Which of the form's fields is meant by what the server calls a field, where they differ. */
  fields?: Readonly<Record<string, string>> | undefined
  onDone?: (answer: Answer) => unknown
}

/**
 * Sends a form and tells how it went: a toast always, and the field besides if it is about one.
 * Whatever happens, nothing that was entered is lost.
 */
export function useSend<Values, Answer>(sending: Sending<Values, Answer>) {
  const { form, call, outcome, fields = {}, onDone } = sending
  const { moneyForm } = useStrings()
  const { busy, submit } = useSubmit(call)

  const send = async (): Promise<boolean> => {
    try {
      const answer = await submit(form.getValues())
      if (answer === undefined) return false
      const { done, text, field } = outcome(answer)
      if (done) {
        say.success(text)
        await onDone?.(answer)
        return true
      }
      say.error(text)
      if (field) form.pointAt(fields[field] ?? field, text)
    } catch (error) {
      say.error(wordsOf(error, moneyForm.failed))
      if (error instanceof Refusal) {
        for (const [field, text] of Object.entries(error.fields)) {
          form.pointAt(fields[field] ?? field, text)
        }
      }
    }
    return false
  }
  return { busy, send }
}
