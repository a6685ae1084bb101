import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { Refusal } from './answer.ts'
import { KEY_USED, SESSION_REQUIRED } from './problem.ts'
import { session, UNANSWERED_KEY } from './session.ts'
import { forgetUnanswered, isUnanswered, useSubmit } from './submit.ts'

const ADA = { isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' }
const ORDER = { to: '100002', amount: '13', transactionPassword: 'right' }

type Said = 'success' | 'Invalid transaction password.'

let keys: string[] = []
let next: () => Promise<Said>

/** A screen that sends one form. */
function open() {
  const { result, unmount } = renderHook(() =>
    useSubmit(
      (_: typeof ORDER, key) => {
        keys.push(key)
        return next()
      },
      { isDone: (answer) => answer === 'success' },
    ),
  )
  const send = (order = ORDER) =>
    act(async () => {
      await result.current.submit(order).catch(() => undefined)
    })
  return { send, leave: unmount }
}

const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const done = () => Promise.resolve('success' as const)
const wrong = () => Promise.resolve('Invalid transaction password.' as const)
const refusal = (status: number, code: string, text: string) =>
  new Refusal('', status, {
    type: 'about:blank',
    title: '',
    status,
    code,
    detail: text,
    showableMessage: text,
    request_id: 'r-1',
  })
const expired = () =>
  Promise.reject(refusal(401, SESSION_REQUIRED, 'Please login to access this resource'))
/** Its text is not compared. */
const keyUsed = () => Promise.reject(refusal(409, KEY_USED, 'Another sentence.'))

beforeEach(() => {
  sessionStorage.clear()
  session.set(ADA)
  keys = []
})

it('goes under one key until it is known to be done, whatever the retry is told', async () => {
  const screen = open()
  next = lost
  await screen.send()
  expect(isUnanswered(ORDER)).toBe(true)
  next = wrong
  await screen.send({ ...ORDER, transactionPassword: 'wring' })
  screen.leave()
  const again = open()
  next = done
  await again.send()
  expect(new Set(keys).size).toBe(1)
  expect(isUnanswered(ORDER)).toBe(false)
  await again.send()
  expect(new Set(keys).size).toBe(2)
})

it('a refusal of what was never unanswered is the end of its key', async () => {
  const screen = open()
  next = wrong
  await screen.send()
  next = done
  await screen.send()
  expect(new Set(keys).size).toBe(2)
})

it('the key outlives the session, and is nobody else’s', async () => {
  const screen = open()
  next = lost
  await screen.send()
  next = expired
  await screen.send()
  session.expire()
  session.set({ ...ADA, userId: '100003' })
  expect(isUnanswered(ORDER)).toBe(false)
  session.set(ADA)
  next = done
  await open().send()
  expect(new Set(keys).size).toBe(1)
  session.clear()
  expect(sessionStorage.getItem(UNANSWERED_KEY)).toBeNull()
})

it('what is not wanted any more is another one when it is wanted again', async () => {
  const screen = open()
  next = lost
  await screen.send()
  screen.leave()
  forgetUnanswered({ ...ORDER, transactionPassword: '' })
  next = done
  await open().send()
  expect(new Set(keys).size).toBe(2)
})

it('knows by its key that what was not answered was done, though something else is asked for now', async () => {
  const screen = open()
  next = lost
  await screen.send()
  next = keyUsed
  await screen.send()
  expect(isUnanswered(ORDER)).toBe(false)
  next = done
  await screen.send()
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
})
