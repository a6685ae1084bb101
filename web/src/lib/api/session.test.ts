import { beforeEach, expect, it, vi } from 'vitest'
import { createSessionStore, STORAGE_KEY } from './session.ts'

const nobody = { isAuth: false, userId: '', username: '', jwtToken: '', ipAddress: '' }
const member = {
  isAuth: true,
  userId: '100001',
  username: 'Ada',
  jwtToken: 't',
  ipAddress: '192.0.2.1',
}

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

it('is nobody at first, and survives a reload once set', () => {
  const store = createSessionStore()
  expect(store.get()).toEqual(nobody)
  store.set(member)
  store.set({ jwtToken: 'next' })
  expect(store.get()).toEqual({ ...member, jwtToken: 'next' })
  expect(createSessionStore().get()).toEqual({ ...member, jwtToken: 'next' })
  expect(sessionStorage).toHaveLength(1)
  expect(localStorage).toHaveLength(0)
})

it.each([
  '',
  '{',
  'null',
  '7',
  '"text"',
  '[]',
  '{}',
  JSON.stringify({ ...member, isAuth: 'yes' }),
  JSON.stringify({ ...member, jwtToken: 7 }),
  JSON.stringify({ isAuth: true }),
])('is nobody when %s is stored', (text) => {
  sessionStorage.setItem(STORAGE_KEY, text)
  expect(createSessionStore().get()).toEqual(nobody)
})

it('keeps nothing of what a stored text has besides', () => {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...member, more: 1 }))
  expect(createSessionStore().get()).toEqual(member)
})

it('remembers a temporary password until it is changed', () => {
  const store = createSessionStore()
  store.set({ ...member, mustChange: true })
  expect(createSessionStore().get().mustChange).toBe(true)
  store.set({ mustChange: false })
  expect(store.get()).toEqual(member)
  expect(createSessionStore().get()).toEqual(member)
})

it('tells its listeners of every change until they end that', () => {
  const store = createSessionStore()
  const seen: boolean[] = []
  const end = store.subscribe(() => seen.push(store.get().isAuth))
  store.set(member)
  store.clear()
  end()
  store.set(member)
  expect(seen).toEqual([true, false])
})

it('answers the same object until something changes', () => {
  const store = createSessionStore()
  expect(store.get()).toBe(store.get())
  store.set(member)
  expect(store.get()).toBe(store.get())
})

it('works without storage, until the page is left', () => {
  const blocked = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  for (const method of ['getItem', 'setItem', 'clear'] as const) {
    vi.spyOn(Storage.prototype, method).mockImplementation(blocked)
  }
  const store = createSessionStore()
  store.set(member)
  expect(store.get()).toEqual(member)
  store.clear()
  expect(store.get()).toEqual(nobody)
})
