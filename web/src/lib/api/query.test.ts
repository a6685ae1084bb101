import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { createQueryClient } from './query.ts'
import { createSessionStore } from './session.ts'

afterEach(() => onlineManager.setOnline(true))

it('asks although the browser says that it is offline, and fails instead of waiting without a word', async () => {
  onlineManager.setOnline(false)
  const client = createQueryClient(createSessionStore())
  const call = () => Promise.reject(new TypeError('Failed to fetch'))
  const query = client.fetchQuery({ queryKey: ['any'], queryFn: call, retry: false })
  await expect(query).rejects.toThrow('Failed to fetch')
  const mutation = client.getMutationCache().build(client, { mutationFn: call })
  await expect(mutation.execute(undefined)).rejects.toThrow('Failed to fetch')
  // What failed meanwhile is asked for again as soon as there is a connection.
  expect(client.defaultQueryOptions({ queryKey: ['any'] }).refetchOnReconnect).toBe(true)
})
