import { expect, it, vi } from 'vitest'
import { askProofBy, fetchProving } from './proof.ts'

const refused = () =>
  Response.json(
    { status: 403, code: 'session.proof_required', showableMessage: 'Confirm that it is you.' },
    { status: 403, headers: { 'Content-Type': 'application/problem+json' } },
  )

interface Sent {
  key: string | null
  body: string
}

/** A server that asks for a proof before it answers, and the requests it received. */
function server() {
  const sent: Sent[] = []
  const state = { proved: false }
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push({ key: request.headers.get('Idempotency-Key'), body: await request.text() })
    return state.proved ? Response.json({ data: 'done' }) : refused()
  })
  return { sent, state }
}

const request = (body = '{"id":"7"}') =>
  new Request('http://here.example/api/operator/block', {
    method: 'POST',
    headers: { 'Idempotency-Key': 'k1' },
    body,
  })

it('asks once for requests at the same time and repeats each under its key', async () => {
  const { sent, state } = server()
  let asked = 0
  const stop = askProofBy(async () => {
    asked += 1
    state.proved = true
    return true
  })
  const answers = await Promise.all([fetchProving(request()), fetchProving(request('{"id":"8"}'))])
  stop()
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(asked).toBe(1)
  expect(sent.slice(2)).toEqual(sent.slice(0, 2))
  expect(sent[0]).toEqual({ key: 'k1', body: '{"id":"7"}' })
})

it('gives the refusal back when nobody proves anything', async () => {
  const { sent } = server()
  const stop = askProofBy(async () => false)
  expect((await fetchProving(request())).status).toBe(403)
  stop()
  expect((await fetchProving(request())).status).toBe(403) // nobody asks any more
  expect(sent).toHaveLength(2)
})
