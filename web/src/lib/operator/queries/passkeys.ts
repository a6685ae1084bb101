import { queryOptions } from '@tanstack/react-query'
import { dataOf } from '@/lib/api/answer.ts'
import { operatorApi } from '@/lib/operator/client.ts'

/** The operator's passkeys, and whether this page can use them. */
export const passkeysOptions = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => dataOf(operatorApi.GET('/api/operator/passkeys')),
})
