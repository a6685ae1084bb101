import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Component } from './TreeView.tsx'

// jsdom has no layout: the picture is as wide as its frame.
vi.mock('@mantine/hooks', async (original) => ({
  ...(await original<typeof import('@mantine/hooks')>()),
  useElementSize: () => ({ ref: () => undefined, width: 1200, height: 600 }),
}))

const ME = '100001'
const CHILD = '100002'

const placesBelow = (top: string) =>
  Array.from({ length: 15 }, (_, index) => ({
    uid: index === 0 ? top : index === 1 && top === ME ? CHILD : '',
    fname: `Name ${index}`,
    sid: '',
    lbv: '0',
    rbv: '0',
    T_LeftB: '0',
    T_RightB: '0',
    packageamount: '0',
    activationdate: '',
    IdColor: 'Green',
  }))

let waiting: ((said: Response) => void)[] = []

/** Answers the latest request at once. */
async function answer(said: Response) {
  await waitFor(() => expect(waiting).toHaveLength(1))
  waiting.pop()?.(said)
}

beforeEach(() => {
  waiting = []
  session.set({ isAuth: true, userId: ME, username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname !== '/api/binaryTree') return Response.json({ data: {} })
    const { searchId } = (await request.json()) as { searchId: string }
    if (searchId === ME) return Response.json({ data: [placesBelow(ME)] })
    return new Promise<Response>((resolve) => waiting.push(resolve))
  })
})

const child = () => screen.findByRole('treeitem', { name: new RegExp(CHILD) })
const FETCHING = `Loading the team of ${CHILD}`

it('says at once that what was pressed is being fetched, and takes no second press meanwhile', async () => {
  const router = renderInApp(<Component />, '/Tree_View')
  const pressed = await child()
  fireEvent.click(pressed)
  fireEvent.click(pressed)
  expect(screen.getByText(FETCHING)).toBeVisible()
  expect(router.state.location.search).toBe(`?path=${CHILD}`)
  await answer(Response.json({ data: [placesBelow(CHILD)] }))
  await waitFor(() => expect(screen.queryByText(FETCHING)).toBeNull())
  expect(screen.getAllByRole('treeitem')[0]).toHaveAccessibleName(new RegExp(CHILD))
})

it('says that it could not be fetched, and another try does it', async () => {
  renderInApp(<Component />, '/Tree_View')
  fireEvent.click(await child())
  await answer(Response.json({}, { status: 503 }))
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('alert')).toBeVisible()
  await userEvent.click(retry)
  expect(await screen.findByText(FETCHING)).toBeVisible()
  await answer(Response.json({ data: [placesBelow(CHILD)] }))
  await waitFor(() =>
    expect(screen.getAllByRole('treeitem')[0]).toHaveAccessibleName(new RegExp(CHILD)),
  )
})

it.each(['012', '0100002', '0'])('nobody has the id %s, and nobody is asked for it', async (id) => {
  renderInApp(<Component />, '/Tree_View')
  await child()
  await userEvent.type(screen.getByRole('textbox'), `${id}{Enter}`)
  expect(await screen.findAllByText('User ID Not Found')).not.toHaveLength(0)
  expect(waiting).toHaveLength(0)
})

it('says of an address with such an id the same', async () => {
  renderInApp(<Component />, '/Tree_View?path=012')
  expect(await screen.findByText('User ID Not Found')).toBeVisible()
  expect(waiting).toHaveLength(0)
})

it('what was shown of a place is not open over another one after a search', async () => {
  renderInApp(<Component />, '/Tree_View')
  await child()
  fireEvent.focus(screen.getAllByRole('treeitem')[0] as Element)
  expect(screen.getByText('Activation Date')).toBeVisible()
  await userEvent.type(screen.getByRole('textbox'), `${CHILD}{Enter}`)
  // The search sends a request, and the picture another one: tests have their own cache.
  for (const _ of ['search', 'picture']) {
    await answer(Response.json({ data: [placesBelow(CHILD)] }))
  }
  await waitFor(() =>
    expect(screen.getAllByRole('treeitem')[0]).toHaveAccessibleName(new RegExp(CHILD)),
  )
  expect(screen.queryByText('Activation Date')).toBeNull()
})
