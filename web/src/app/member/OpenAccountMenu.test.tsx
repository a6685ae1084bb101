import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import OpenAccountMenu from './OpenAccountMenu.tsx'

it('closes by Escape also before it has taken the focus', async () => {
  renderInApp(<OpenAccountMenu onLogOut={() => {}} />)
  await screen.findByRole('menu')
  const button = screen.getByRole('button', { name: 'Account' })
  fireEvent.keyDown(button, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument())
  await waitFor(() => expect(button).toHaveFocus())
})
