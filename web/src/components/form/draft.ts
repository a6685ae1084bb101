import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { session } from '@/lib/api/session.ts'
import { type DraftValues, draftOf, forgetDraft, isKeepable, keepDraft } from '@/lib/drafts.ts'

/** What of a form outlives the screen and the session: never a password or a code. */
export interface Draft<Values> {
  /** Under which name; one for each form. */
  screen: string
  fields: readonly (keyof Values & string)[]
}

function only<Values>(fields: Draft<Values>['fields'], values: Record<string, unknown>) {
  const kept = fields
    .map((field) => [field, values[field]] as const)
    .filter((entry): entry is [keyof Values & string, string | boolean] => isKeepable(entry[1]))
  return Object.fromEntries(kept)
}

/** What was kept for whoever is signed in. It is asked for once, when the form appears. */
export function useKept<Values>(draft: Draft<Values> | undefined): DraftValues | null {
  const [kept] = useState(() => {
    const values = draft && draftOf(draft.screen, session.get().userId)
    return draft && values ? only(draft.fields, values) : null
  })
  return kept
}

/** Whether a form that is not in sight at first was left in the middle: then it is to be. */
export function useBegun(draft: { screen: string }): boolean {
  const [begun] = useState(() => draftOf(draft.screen, session.get().userId) !== null)
  return begun
}

/** Keeps what is entered while it is entered, and gives it up when it was sent. */
export function useDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  initialValues: Values,
  draft: Draft<Values> | undefined,
  hasKept: boolean,
) {
  const [restored, setRestored] = useState(hasKept)
  const [owner] = useState(() => session.get().userId)
  const first = useRef<Record<string, unknown>>(initialValues)
  /** What was sent is not entered any more, even while the form still shows it. */
  const sent = useRef<DraftValues | null>(null)
  // At every rendering anew: what is kept must be what the form holds then.
  useEffect(() => {
    // Who is signed out meanwhile has left, and whoever comes next is somebody else.
    if (!draft || session.get().userId !== owner) return
    const entered = only(draft.fields, form.getValues())
    const differs = (from: Record<string, unknown> | null) =>
      from === null || draft.fields.some((field) => entered[field] !== from[field])
    if (differs(sent.current)) sent.current = null
    else return
    // What was saved may be read anew under an untouched form.
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
