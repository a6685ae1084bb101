import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Card } from '../Card.tsx'
import { renderInApp } from '../test/render.tsx'
import { textColumn } from './columns.tsx'
import { DataTable } from './DataTable.tsx'

const list = (label: string) => (
  <DataTable
    label={label}
    columns={[textColumn('Name', (name: string) => name)]}
    rows={['Ada']}
    rowKey={(name) => name}
    empty="Nobody"
  />
)

it('is a region of its own name, but not a second one of the name that its card has', () => {
  renderInApp(
    <Card title="Tickets">
      {list('Tickets')}
      {list('Closed')}
    </Card>,
  )
  const names = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))
  expect(names).toEqual([null, 'Closed'])
  expect(screen.getByRole('group', { name: 'Tickets' })).toHaveAttribute('tabindex', '0')
})

it('draws what a screen can show at once, and the rest of a long page after it', async () => {
  const people = Array.from({ length: 100 }, (_, i) => `Member ${i}`)
  renderInApp(
    <DataTable
      label="Team"
      columns={[textColumn('Name', (name: string) => name)]}
      rows={people}
      rowKey={(name) => name}
      empty="Nobody"
    />,
  )
  expect(screen.getAllByRole('row')).toHaveLength(31)
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(101))
})
