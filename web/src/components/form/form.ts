import { type UseFormReturnType, useForm } from '@mantine/form'
import { type FormEvent, useId, useRef } from 'react'
import { errorText, Refusal } from '@/lib/api/answer.ts'
import { isUnanswered, useSubmit, wasProcessed } from '@/lib/api/submit.ts'
import { firstFailure, type Rule } from '@/lib/rules/rule.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { type Coded, serverText } from '@/lib/strings/serverText.ts'
import { toast } from '@/lib/toast.ts'
import { type Draft, useDraft, useSavedDraft } from './draft.ts'

export interface CheckedForm<Values> extends UseFormReturnType<Values> {
  /**
   * Runs the checks in order. The first failure is shown as a toast and at its field, which gets
   * the focus. `rules` replaces the checks of the form, for a form with two buttons.
   */
  passes: (rules?: readonly Rule<Values>[]) => boolean
  /** Shows an error at a field and focuses it. Returns whether there is such a field. */
  showErrorAt: (field: string, text: string) => boolean
  /** Shows an error as a toast. */
  showError: (text: string) => void
  /** Closes the toast of an error that is solved. */
  dismissErrors: () => void
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
  const kept = useSavedDraft(draft)
  // Two forms of a screen may have fields of the same name, so each form has an id.
  const name = useId().replaceAll('_', '-')
  const form = useForm<Values>({ name, initialValues: { ...initialValues, ...kept } })
  const { restored, drop } = useDraft(form, initialValues, draft, kept !== null)

  const errorToasts = useRef(new Set<string>())
  const showError = (text: string) => {
    errorToasts.current.add(toast.error(text))
  }
  const dismissErrors = () => {
    for (const id of errorToasts.current) toast.dismiss(id)
    errorToasts.current.clear()
  }
  const showErrorAt = (field: string, text: string) => {
    if (!Object.hasOwn(initialValues, field)) return false
    form.setFieldError(field, text)
    form.getInputNode(field)?.focus()
    return true
  }
  const passes = (which: readonly Rule<Values>[] = rules) => {
    const failure = firstFailure(form.getValues(), which, strings)
    // What an earlier check complained about may be corrected by now.
    dismissErrors()
    // At once, not cleared and set again: the kit ignores the same text twice in a row.
    form.setErrors(failure ? { [failure.field]: failure.text } : {})
    if (!failure) return true
    showError(failure.text)
    form.getInputNode(failure.field)?.focus()
    return false
  }
  return Object.assign(form, { passes, showErrorAt, showError, dismissErrors, restored, drop })
}

/** The meaning of an answer: business results of a call are ordinary answers with a text. */
export interface Outcome {
  done: boolean
  /** Empty if the next screen shows the success. */
  text: string
  /** The field that the text is about. */
  field?: string | undefined
}

interface Answered extends Coded {
  field?: string
}

/** The outcome of an answer with a message: done if its code is one of those given. */
export function outcomeOf(
  message: string,
  answer: Answered,
  doneCodes: readonly string[],
  doneText?: string,
): Outcome {
  const { code = '', field } = answer
  const done = doneCodes.includes(code)
  return { done, text: (done ? doneText : undefined) ?? serverText(message, answer), field }
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
  isStep?: boolean
}

/** How sending ended. `at field` means not done, with the focus on that field. */
type Sent = 'done' | 'not done' | 'at field'

/**
 * Sends a form and shows the result: always as a toast, and at the field if the error is about one.
 * The values are never lost.
 */
export function useSend<Values, Answer>(sending: Sending<Values, Answer>) {
  const { form, call, outcome, fields = {}, onDone, isStep = false } = sending
  const { moneyForm } = useStrings()
  const isDone = (answer: Answer) => outcome(answer).done
  const { busy, submit } = useSubmit(call, { isDone, keyless: isStep })

  const refused = (about: Record<string, string>): Sent => {
    // The last error that is set gets the focus, so the first one is set last.
    const pointed = Object.entries(about)
      .toReversed()
      .map(([field, text]) => form.showErrorAt(fields[field] ?? field, text))
    return pointed.includes(true) ? 'at field' : 'not done'
  }
  const send = async (): Promise<Sent> => {
    const again = !isStep && isUnanswered(form.getValues())
    try {
      const answer = await submit(form.getValues())
      if (answer === undefined) return 'not done'
      const { done, text, field } = outcome(answer)
      if (!done) {
        form.showError(text)
        return refused(field ? { [field]: text } : {})
      }
      form.dismissErrors()
      if (text !== '') toast.success(text)
      if (again) toast.info(moneyForm.once)
      if (!isStep) form.drop()
      await onDone?.(answer)
      return 'done'
    } catch (error) {
      if (again && wasProcessed(error)) {
        form.dismissErrors()
        toast.info(moneyForm.doneBefore)
        form.drop()
        return 'not done'
      }
      form.showError(errorText(error, moneyForm.failed))
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
