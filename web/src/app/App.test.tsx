import { expect, it, vi } from 'vitest'
import { routerReady } from './App.tsx'

type Router = Parameters<typeof routerReady>[0]

/** A router that calls its subscriber at once, as one does that has already loaded. */
function told(initialized: boolean) {
  const leave = vi.fn()
  let tell: () => void = () => undefined
  const router = {
    state: { initialized },
    subscribe: (look: () => void) => {
      tell = look
      look()
      return leave
    },
  }
  const begin = () => {
    router.state.initialized = true
    tell()
  }
  return { router: router as unknown as Router, leave, begin }
}

it('the first screen opens if its code was there before anybody asked', async () => {
  const { router, leave } = told(true)
  await routerReady(router)
  expect(leave).toHaveBeenCalledOnce()
})

it('the first screen opens when its code has come', async () => {
  const { router, leave, begin } = told(false)
  const ready = routerReady(router)
  expect(leave).not.toHaveBeenCalled()
  begin()
  await ready
  expect(leave).toHaveBeenCalledOnce()
})
