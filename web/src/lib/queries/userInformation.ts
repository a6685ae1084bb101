import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { useSession } from '@/lib/session.ts'

export type Information = components['schemas']['InformationRow']
type Change = components['schemas']['ProfileBody']

/** What the member has told about itself. */
export function useInformation() {
  const { userId } = useSession()
  return useQuery({
    queryKey: ['UserInformation', userId],
    queryFn: async (): Promise<Information> => {
      const { data } = await answerOf(api.POST('/api/UserInformation', { body: { uid: userId } }))
      const row = data[0]
      if (!row) throw new Error('There is no information')
      return row
    },
  })
}

export const fullName = ({ f_name, l_name }: Information) => `${f_name} ${l_name}`.trim()

/** Changes one part of it; `type` says which. */
export const change = (body: Change, key: string) =>
  answerOf(api.POST('/api/UpdateProfile', { body, ...underKey(key) }))
