import { CircleUser } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'

export function AccountButton(props: ComponentProps<'button'>) {
  const { memberShell } = useStrings()
  return (
    <button {...props} type="button" className={styles.toggle} aria-label={memberShell.account}>
      <CircleUser size={22} aria-hidden="true" />
    </button>
  )
}
