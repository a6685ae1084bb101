import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { type Information, informationOptions } from '@/lib/queries/userInformation.ts'
import { useSession } from '@/lib/session.ts'

type Change = components['schemas']['ProfileBody']

export function useInformation() {
  const { userId } = useSession()
  return useQuery(informationOptions(userId))
}

export const fullName = ({ f_name, l_name }: Information) => `${f_name} ${l_name}`.trim()

/** Changes one part of the profile, which `type` names. */
export const change = (body: Change, key: string) =>
  answerOf(api.POST('/api/UpdateProfile', { body, ...underKey(key) }))
