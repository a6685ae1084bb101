import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useState } from 'react'
import { session } from '@/lib/api/session.ts'
import { draftOf, forgetDraft, keepDraft } from '@/lib/drafts.ts'

/** What of a form outlives the end of the session: never a password or a code. */
export interface Draft<Values> {
  /** Under which name; one for each form. */
  screen: string
  fields: readonly (keyof Values & string)[]
}

function only<Values>(fields: Draft<Values>['fields'], values: Record<string, unknown>) {
  const kept = fields
    .map((field) => [field, values[field]] as const)
    .filter((entry): entry is [keyof Values & string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(kept)
}

/** What was kept for whoever is signed in. It is asked for once, when the form appears. */
export function useKept<Values>(draft: Draft<Values> | undefined): Record<string, string> | null {
  const [kept] = useState(() => {
    const values = draft && draftOf(draft.screen, session.get().userId)
    return draft && values ? only(draft.fields, values) : null
  })
  return kept
}

/** Keeps what was entered when the server ends the session, and gives it up when it was sent. */
export function useDraft<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  initialValues: Values,
  draft: Draft<Values> | undefined,
  hasKept: boolean,
) {
  const [restored, setRestored] = useState(hasKept)
  // At every rendering anew: what is kept must be what the form holds then.
  useEffect(() => {
    if (!draft) return undefined
    return session.onExpire((userId) => {
      if (restored || draft.fields.some((field) => form.isDirty(field))) {
        keepDraft(draft.screen, userId, only(draft.fields, form.getValues()))
      }
    })
  })
  const drop = () => {
    if (!draft) return
    forgetDraft(draft.screen)
    if (restored) form.setInitialValues(initialValues)
    setRestored(false)
  }
  return { restored, drop }
}
