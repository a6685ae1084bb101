import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '../api/answer.ts'
import { api } from '../api/client.ts'
import type { components } from '../api/schema.d.ts'

export type Information = components['schemas']['InformationRow']

/** The member's profile, bank account and USDT address. */
export const informationOptions = (userId: string) =>
  queryOptions({
    queryKey: ['UserInformation', userId],
    queryFn: async (): Promise<Information> => {
      const [row] = await dataOf(api.POST('/api/UserInformation', { body: { uid: userId } }))
      if (!row) throw new Error('There is no information')
      return row
    },
  })
