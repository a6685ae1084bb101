import { Bell } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useStrings } from '@/lib/strings/index.ts'
import header from '../shell/SideHeader.module.css'
import styles from './Notices.module.css'

/** The greatest number that is shown. */
const MANY = 9

export function NoticeButton({ unread, ...props }: ComponentProps<'button'> & { unread: number }) {
  const { memberShell } = useStrings()
  return (
    <button
      {...props}
      type="button"
      className={header.toggle}
      aria-label={memberShell.notices({ unread })}
    >
      <span className={styles.bell}>
        <Bell size={20} aria-hidden="true" />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unread > MANY ? `${MANY}+` : unread}
          </span>
        )}
      </span>
    </button>
  )
}
