import { useCallback, useState } from 'react'
import { answerOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { Check, SectionName } from '@/lib/operator/queries/settings.ts'
import type { Json } from '../draft/tree.ts'
import { useChecked } from '../draft/useChecked.ts'

const PENDING: Check = { valid: false, mistakes: [], changes: [] }

/** The draft of a section, and the server's check of it while the operator types. */
export function useDraft(section: SectionName, body: Json) {
  const [draft, setDraft] = useState<Json>(body)
  const touched = draft !== body
  const ask = useCallback(
    async (draft: Json): Promise<Check> => {
      const call = { body: { section, body: draft } }
      return (await answerOf(operatorApi.POST('/api/operator/settings/validate', call))).data
    },
    [section],
  )
  const { check: result, fresh, error, retry } = useChecked(touched ? draft : null, ask)
  const check = result ?? PENDING
  return { draft, setDraft, touched, check, error, retry, ready: touched && fresh && check.valid }
}
