import { useQuery } from '@tanstack/react-query'
import { answerOf } from './answer.ts'
import { api } from './client.ts'

/**
 * What the server takes: ids grow longer when six digits run out, and an installation may ask for
 * a mailed code before a password is sent or changed.
 */
export function useLimits() {
  return useQuery({
    queryKey: ['limits'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await answerOf(api.GET('/api/limits'))).data,
  })
}
