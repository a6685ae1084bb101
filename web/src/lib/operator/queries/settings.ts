import { useQuery } from '@tanstack/react-query'
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
