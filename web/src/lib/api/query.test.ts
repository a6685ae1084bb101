import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { Refusal } from './answer.ts'
import { createQueryClient } from './query.ts'
import { createSessionStore } from './session.ts'

/** Uses the client's defaults: `fetchQuery` does not retry unless it is told to. */
const again = (client: ReturnType<typeof createQueryClient>) => ({
  retry: client.getDefaultOptions().queries?.retry ?? false,
})

afterEach(() => onlineManager.setOnline(true))

it('asks although the browser says that it is offline, and fails instead of waiting without a word', async () => {
  onlineManager.setOnline(false)
  const client = createQueryClient(createSessionStore())
  const call = () => Promise.reject(new TypeError('Failed to fetch'))
  const query = client.fetchQuery({ queryKey: ['any'], queryFn: call, retry: false })
  await expect(query).rejects.toThrow('Failed to fetch')
  const mutation = client.getMutationCache().build(client, { mutationFn: call })
  await expect(mutation.execute(undefined)).rejects.toThrow('Failed to fetch')
  // A read that failed offline is repeated once there is a connection.
  expect(client.defaultQueryOptions({ queryKey: ['any'] }).refetchOnReconnect).toBe(true)
})

it('does not wait three times for what was not answered in time', async () => {
  const client = createQueryClient(createSessionStore())
  const call = vi.fn(() => Promise.reject(new DOMException('too late', 'TimeoutError')))
  await expect(
    client.fetchQuery({ queryKey: ['late'], queryFn: call, retryDelay: 0, ...again(client) }),
  ).rejects.toThrow('too late')
  expect(call).toHaveBeenCalledOnce()
  const lost = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')))
  await expect(
    client.fetchQuery({ queryKey: ['lost'], queryFn: lost, retryDelay: 0, ...again(client) }),
  ).rejects.toThrow('Failed')
  expect(lost).toHaveBeenCalledTimes(3)
})

it('asks again what was asked too often, when the server says so, if that is soon', async () => {
  const client = createQueryClient(createSessionStore())
  const { retryDelay } = client.getDefaultOptions().queries ?? {}
  const tooOften = (seconds?: number) =>
    vi.fn(() => Promise.reject(new Refusal('Too many tries.', 429, undefined, seconds)))
  for (const [seconds, times] of [
    [5, 3],
    [600, 1],
    [undefined, 1],
  ] as const) {
    const call = tooOften(seconds)
    const query = client.fetchQuery({
      queryKey: ['often', seconds],
      queryFn: call,
      ...again(client),
      retryDelay: 0,
    })
    await expect(query).rejects.toThrow('Too many tries.')
    expect(call).toHaveBeenCalledTimes(times)
  }
  const wait = typeof retryDelay === 'function' ? retryDelay : () => 0
  expect(wait(0, new Refusal('', 429, undefined, 5))).toBe(5000)
  expect(wait(1, new TypeError('Failed to fetch'))).toBe(2000)
})
