import { lazy, Suspense, useState } from 'react'
import { AccountButton } from './AccountButton.tsx'

const OpenAccountMenu = lazy(() => import('./OpenAccountMenu.tsx'))

/** The kit's menu is as much code as the dashboard: it comes when somebody wants to see it. */
export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <AccountButton aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)} />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <OpenAccountMenu onLogOut={onLogOut} />
    </Suspense>
  )
}
