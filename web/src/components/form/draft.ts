import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { session } from '@/lib/api/session.ts'
import { type DraftValues, draftOf, forgetDraft, isKeepable, keepDraft } from '@/lib/drafts.ts'

/** The fields of a form that are kept as a draft: never a password or a code. */
export interface Draft<Values> {
  /** The name of the form, which is unique. */
  screen: string
  fields: readonly (keyof Values & string)[]
}

function only<Values>(fields: Draft<Values>['fields'], values: Record<string, unknown>) {
  const kept = fields
    .map((field) => [field, values[field]] as const)
    .filter((entry): entry is [keyof Values & string, string | boolean] => isKeepable(entry[1]))
  return Object.fromEntries(kept)
}

/** The member's draft, read once when the form mounts. */
export function useSavedDraft<Values>(draft: Draft<Values> | undefined): DraftValues | null {
  const [kept] = useState(() => {
    const values = draft && draftOf(draft.screen, session.get().userId)
    return draft && values ? only(draft.fields, values) : null
  })
  return kept
}

/** Whether a form that is hidden at first has a draft: it is then shown. */
export function useHasDraft(draft: { screen: string }): boolean {
  const [begun] = useState(() => draftOf(draft.screen, session.get().userId) !== null)
  return begun
}

/** Saves the draft while the member types, and deletes it after sending. */
export function useDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  initialValues: Values,
  draft: Draft<Values> | undefined,
  hasKept: boolean,
) {
  const [restored, setRestored] = useState(hasKept)
  const [owner] = useState(() => session.get().userId)
  const first = useRef<Record<string, unknown>>(initialValues)
  /** Values that were sent are no longer a draft, even while the form shows them. */
  const sent = useRef<DraftValues | null>(null)
  // Runs at every render: the draft must equal the current values.
  useEffect(() => {
    // The member has logged out meanwhile: nothing is saved for the next one.
    if (!draft || session.get().userId !== owner) return
    const entered = only(draft.fields, form.getValues())
    const differs = (from: Record<string, unknown> | null) =>
      from === null || draft.fields.some((field) => entered[field] !== from[field])
    if (differs(sent.current)) sent.current = null
    else return
    // Saved values may be read again under an untouched form.
    if (differs(first.current) && differs(initialValues)) keepDraft(draft.screen, owner, entered)
    else if (draftOf(draft.screen, owner)) forgetDraft(draft.screen)
  })
  const drop = () => {
    if (!draft) return
    forgetDraft(draft.screen)
    sent.current = only(draft.fields, form.getValues())
    if (restored) form.setInitialValues(initialValues)
    setRestored(false)
  }
  return { restored, drop }
}
