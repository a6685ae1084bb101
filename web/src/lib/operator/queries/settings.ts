import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { operatorApi } from '@/lib/operator/client.ts'

export type SectionName = 'content' | 'banks' | 'usdt' | 'limits'
export type Section = components['schemas']['SettingSection']
export type ProposalRow = components['schemas']['SettingProposalRow']
export type Proposal = components['schemas']['SettingProposalAnswer']
export type Check = components['schemas']['SettingCheck']
export type Overview = components['schemas']['SettingsAnswer']

/** Every section of the settings: its current version and its pending proposal. */
export const settingsOptions = queryOptions({
  queryKey: ['settings'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/settings')),
})

export const sectionOf = (overview: Overview, name: SectionName): Section | undefined =>
  overview.sections.find(({ section }) => section === name)

/** One proposal in full: the old and the new text, and its digest. */
export const settingProposalOptions = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'proposal', id],
    queryFn: (): Promise<Proposal> => {
      const query = { id: Number(id) }
      return dataOf(operatorApi.GET('/api/operator/settings/proposal', { params: { query } }))
    },
  })

/** All versions and proposals of a section, newest first. */
export const settingHistoryOptions = (section: SectionName) =>
  queryOptions({
    queryKey: ['settings', 'history', section],
    queryFn: async () => {
      const query = { section }
      const call = operatorApi.GET('/api/operator/settings/history', { params: { query } })
      return (await dataOf(call))[0] ?? []
    },
  })
