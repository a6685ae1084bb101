import { CircleUser } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'

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

export function AccountButton(props: ComponentProps<'button'>) {
  const { memberShell } = useStrings()
  return (
    <button {...props} type="button" className={styles.toggle} aria-label={memberShell.account}>
      <CircleUser size={22} aria-hidden="true" />
    </button>
  )
}
