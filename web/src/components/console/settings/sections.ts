import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Json } from '@/components/console/draft/tree.ts'
import { useChecked } from '@/components/console/draft/useChecked.ts'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export type SectionName = 'content' | 'banks' | 'usdt' | 'limits'
export type Section = components['schemas']['SettingSection']
export type ProposalRow = components['schemas']['SettingProposalRow']
export type Proposal = components['schemas']['SettingProposalAnswer']
export type Check = components['schemas']['SettingCheck']
export type Overview = components['schemas']['SettingsAnswer']

/** What holds, what waits. */
export const useOverview = () =>
  useQuery({
    queryKey: ['settings'],
    queryFn: async () => (await answerOf(operatorApi.GET('/api/operator/settings'))).data,
  })

export const sectionOf = (overview: Overview, name: SectionName): Section | undefined =>
  overview.sections.find(({ section }) => section === name)

/** One proposal, whole: what was, what it says, its fingerprint. */
export const useProposal = (id: string) =>
  useQuery({
    queryKey: ['settings', 'proposal', id],
    queryFn: () => askProposal(id),
  })

export const askProposal = async (id: string): Promise<Proposal> => {
  const query = { id: Number(id) }
  return (await answerOf(operatorApi.GET('/api/operator/settings/proposal', { params: { query } })))
    .data
}

export const useHistory = (section: SectionName) =>
  useQuery({
    queryKey: ['settings', 'history', section],
    queryFn: async () => {
      const query = { section }
      const call = operatorApi.GET('/api/operator/settings/history', { params: { query } })
      return (await answerOf(call)).data[0] ?? []
    },
  })

const PENDING: Check = { valid: false, mistakes: [], changes: [] }

/** What somebody makes of a section, and what the server says about it while they type. */
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
  const { check: said, fresh, error, retry } = useChecked(touched ? draft : null, ask)
  const check = said ?? PENDING
  return { draft, setDraft, touched, check, error, retry, ready: touched && fresh && check.valid }
}
