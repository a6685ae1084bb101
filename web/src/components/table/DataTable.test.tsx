import { screen } from '@testing-library/react'
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
