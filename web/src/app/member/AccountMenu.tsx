import { usePart } from '@/components/usePart.ts'
import { AccountButton } from './AccountButton.tsx'

/** The kit's menu is as large as the dashboard's code: it loads on the first press. */
export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { part, fetchPart } = usePart(() => import('./OpenAccountMenu.tsx'))
  if (part) return <part.default onLogOut={onLogOut} />
  return (
    <AccountButton aria-haspopup="menu" aria-expanded={false} onClick={() => void fetchPart()} />
  )
}
