import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderInApp } from '@/components/test/render.tsx'
import { PasswordField } from './PasswordField.tsx'

it('says to screen readers that it is wrong', async () => {
  renderInApp(<PasswordField label="Password" error="Password is required" />, '/')
  expect(await screen.findByLabelText('Password')).toBeInvalid()
})
