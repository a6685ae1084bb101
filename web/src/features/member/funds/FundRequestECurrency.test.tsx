import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { session } from '@/lib/api/session.ts'
import { Component } from './FundRequestECurrency.tsx'

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const ANSWERS: Record<string, unknown> = {
  '/api/DepositAddress': { mode: 'hash', address: '', seen: [] },
  '/api/adminBankDetailsByBankid': [{ btcaddress: ADDRESS }],
  '/api/FundRequestHistory': [[{ id: '101743', st: 'Pending', amount: '5.000000', utrno: '0x1' }]],
}

it('the address comes first, and the pending requests are told', async () => {
  sessionStorage.clear()
  session.set({ isAuth: true, userId: '100001', username: 'Ada', jwtToken: 't', ipAddress: '' })
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({ data: ANSWERS[new URL(request.url).pathname] ?? [[]] }),
  )
  renderInApp(<Component />)
  const steps = await screen.findByRole('region', { name: 'How it works' })
  expect(steps).toHaveTextContent('Send to this addressPaste the hashWe credit it')
  expect(await screen.findByText(/^1 waiting for an operator/)).toBeVisible()
  const address = await screen.findByDisplayValue(ADDRESS)
  const hash = screen.getByLabelText('TRX number')
  expect(address.compareDocumentPosition(hash)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  // Mails name the request by its number.
  expect(await screen.findByText('No. 101743')).toBeVisible()
})
