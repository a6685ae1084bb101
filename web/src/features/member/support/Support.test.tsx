import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { TalkDrawer } from './Talk.tsx'

it('a member replies in the same ticket', async () => {
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  const messages = [
    { kind: 'message', text: 'Where is my deposit?', at: '2026-11-18T17:32:00Z' },
    { kind: 'answer', text: 'Which day was it?', at: '2026-11-18T18:00:00Z' },
  ]
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') {
      return Response.json({ data: { ticket_id: '100001', status: 'replied', messages } })
    }
    sent.push(await request.json())
    return Response.json({ data: 'Successfully send query' })
  })
  renderInApp(<TalkDrawer row={100001} onClose={() => undefined} />)
  expect(await screen.findByText('Which day was it?')).toBeVisible()
  await userEvent.type(screen.getByLabelText('Your reply'), 'On Monday.')
  await userEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  const message = { uid: '100001', ticket_id: '100001', query: 'On Monday.' }
  await waitFor(() => expect(sent).toEqual([message]))
})
