import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { api, createApi, isTooLate, type Patience } from './client.ts'
import { type Problem, SESSION_REQUIRED } from './problem.ts'
import { createSessionStore, type SessionStore, session as tabSession } from './session.ts'
import { type Answer, type Received, startTestServer } from './test-server.ts'

/** A contract of two calls, so that these tests do not depend on the real one. */
interface TestPaths {
  '/api/things': {
    get: { responses: { 200: { content: { 'application/json': { data: string } } } } }
    post: {
      parameters: { header?: { 'Idempotency-Key'?: string } }
      requestBody: { content: { 'application/json': { amount: string } } }
      responses: {
        200: { content: { 'application/json': { data: string } } }
        default: { content: { 'application/problem+json': Problem } }
      }
    }
  }
}

const problem = (code: string, status = 401): Answer => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({ status, code, showableMessage: 'Not now.', request_id: 'r-1' }),
})

const member = {
  isAuth: true,
  userId: '100001',
  username: 'Ada',
  jwtToken: 'first',
  ipAddress: '192.0.2.1',
}

let answer: (request: Received) => Answer | Promise<Answer>
let server: Awaited<ReturnType<typeof startTestServer>>
let session: SessionStore
let client: ReturnType<typeof createApi<TestPaths>>

beforeEach(async () => {
  sessionStorage.clear()
  localStorage.clear()
  answer = () => ({})
  server = await startTestServer((request) => answer(request))
  session = createSessionStore()
  client = createApi<TestPaths>({ baseUrl: server.url, session })
})

afterEach(() => server.stop())

const lastHeader = (name: string) => server.received.at(-1)?.headers[name]

it('sends and reads JSON, and the token only when there is one', async () => {
  const { data } = await client.POST('/api/things', { body: { amount: '12.5' } })
  expect(data).toEqual({ data: 'done' })
  expect(server.received).toMatchObject([
    { method: 'POST', url: '/api/things', body: '{"amount":"12.5"}' },
  ])
  expect(lastHeader('content-type')).toBe('application/json')
  expect(lastHeader('authorization')).toBeUndefined()

  session.set(member)
  await client.GET('/api/things')
  expect(lastHeader('authorization')).toBe('Bearer first')
})

it('gives each call that changes something a key of its own, and others none', async () => {
  const keys = new Set<unknown>()
  for (const _ of [1, 2, 3]) {
    await client.POST('/api/things', { body: { amount: '1' } })
    keys.add(lastHeader('idempotency-key'))
    expect(lastHeader('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
  }
  expect(keys.size).toBe(3)
  await client.GET('/api/things')
  expect(lastHeader('idempotency-key')).toBeUndefined()
})

it('keeps the key that a caller gives, so that a call can be repeated under it', async () => {
  const again = { body: { amount: '1' }, params: { header: { 'Idempotency-Key': 'mine' } } }
  await client.POST('/api/things', again)
  await client.POST('/api/things', again)
  expect(server.received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine'])
})

it('uses a renewed token from then on, also after a reload', async () => {
  session.set(member)
  answer = () => ({ headers: { 'X-Renewed-Token': 'second' } })
  await client.GET('/api/things')
  expect(session.get()).toEqual({ ...member, jwtToken: 'second' })
  expect(createSessionStore().get().jwtToken).toBe('second')
  await client.GET('/api/things')
  expect(lastHeader('authorization')).toBe('Bearer second')
})

it('takes no token over from an answer to someone who has logged out or in since', async () => {
  session.set(member)
  answer = () => {
    session.clear()
    return { headers: { 'X-Renewed-Token': 'second' } }
  }
  await client.GET('/api/things')
  expect(session.get().jwtToken).toBe('')

  session.set(member)
  answer = () => {
    session.set({ jwtToken: 'of someone else' })
    return { headers: { 'X-Renewed-Token': 'second' } }
  }
  await client.GET('/api/things')
  expect(session.get().jwtToken).toBe('of someone else')
})

it('takes no token over while nobody is logged in', async () => {
  answer = () => ({ headers: { 'X-Renewed-Token': 'second' } })
  await client.GET('/api/things')
  expect(session.get().jwtToken).toBe('')
})

it('logs out and empties both storages when the session is over, and hands the problem on', async () => {
  session.set(member)
  sessionStorage.setItem('other', '1')
  localStorage.setItem('other', '1')
  answer = () => problem(SESSION_REQUIRED)
  const { error } = await client.POST('/api/things', { body: { amount: '1' } })
  expect(error).toMatchObject({ code: SESSION_REQUIRED, request_id: 'r-1' })
  expect(session.get()).toEqual({
    isAuth: false,
    userId: '',
    username: '',
    jwtToken: '',
    ipAddress: '',
  })
  expect(sessionStorage).toHaveLength(0)
  expect(localStorage).toHaveLength(0)
})

it.each([
  ['another problem', problem('auth.wrong_password')],
  ['the code in an ordinary answer', { body: JSON.stringify({ code: SESSION_REQUIRED }) }],
  ['a page of a proxy', { status: 502, headers: { 'Content-Type': 'text/html' }, body: '<p>' }],
  [
    'a problem that is cut off',
    { status: 401, headers: { 'Content-Type': 'application/problem+json' }, body: '{"sta' },
  ],
])('stays logged in at %s', async (_, given) => {
  session.set(member)
  answer = () => given
  await client.GET('/api/things')
  expect(session.get()).toEqual(member)
})

it('learns that a temporary password is to be changed first', async () => {
  session.set(member)
  answer = () => problem('session.password_temporary')
  await client.GET('/api/things')
  expect(session.get()).toEqual({ ...member, mustChange: true })
})

it('does not end a session that began after the refused call was sent', async () => {
  session.set(member)
  answer = () => {
    session.set({ jwtToken: 'newer' })
    return problem(SESSION_REQUIRED)
  }
  await client.GET('/api/things')
  expect(session.get()).toEqual({ ...member, jwtToken: 'newer' })
})

it('throws when nothing answers', async () => {
  await server.stop()
  await expect(client.GET('/api/things')).rejects.toThrow()
})

/** A server that accepts connections and never answers. */
const silence = () => new Promise<Answer>(() => undefined)

describe('a call with a timeout', () => {
  const impatient = (patience: Patience) =>
    createApi<TestPaths>({ baseUrl: server.url, session, patience })

  it.each([
    ['a read', { read: 50, write: 60_000 }, 'GET'],
    ['a write', { read: 60_000, write: 50 }, 'POST'],
    [
      'one with a time of its own',
      { read: 1, write: 60_000, calls: { '/api/things': 50 } },
      'POST',
    ],
  ] as const)('is given up: %s', async (_, patience, method) => {
    answer = silence
    const given = impatient(patience)
    const call =
      method === 'GET'
        ? given.GET('/api/things')
        : given.POST('/api/things', { body: { amount: '1' } })
    const error = await call.catch((thrown: unknown) => thrown)
    expect(isTooLate(error)).toBe(true)
    // On a busy machine the time is over before the request arrives; it is never sent twice.
    expect(server.received.length).toBeLessThan(2)
  })

  it('is waited for if it is a file, and whatever it is without a limit', async () => {
    answer = () => new Promise((resolve) => setTimeout(() => resolve({}), 200))
    const hasty = impatient({ read: 50, write: 50 })
    expect((await hasty.GET('/api/things', { parseAs: 'blob' })).response.ok).toBe(true)
    expect((await client.GET('/api/things')).data).toEqual({ data: 'done' })
  })

  it('is complete if it is answered in time', async () => {
    const given = impatient({ read: 60_000, write: 60_000 })
    expect((await given.GET('/api/things')).data).toEqual({ data: 'done' })
    const { data } = await given.POST('/api/things', { body: { amount: '1' } })
    expect(data).toEqual({ data: 'done' })
    expect(server.received).toMatchObject([
      { method: 'GET', body: '' },
      { method: 'POST', body: '{"amount":"1"}' },
    ])
  })
})

it("calls the page's own origin with the tab's session", async () => {
  const asked: Request[] = []
  const own = globalThis.fetch
  globalThis.fetch = (input) => {
    const request = input as Request
    asked.push(request)
    return own(new Request(request.url.replace(location.origin, server.url), request))
  }
  try {
    tabSession.set(member)
    await api.GET('/api/version')
  } finally {
    globalThis.fetch = own
    tabSession.clear()
  }
  expect(asked.map(({ url }) => url)).toEqual([`${location.origin}/api/version`])
  expect(lastHeader('authorization')).toBe('Bearer first')
})
