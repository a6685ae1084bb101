import {
  BadgeCheck,
  CircleX,
  type LucideIcon,
  MessageCircle,
  PiggyBank,
  Send,
  UserRound,
} from 'lucide-react'
import { Link } from 'react-router'
import { formatMoment, zone } from '@/lib/dates.ts'
import type { Notice } from '@/lib/queries/notices.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './NoticeItem.module.css'
import { screenOf, textOf } from './notice.ts'

const ICONS: Record<Notice['kind'], LucideIcon> = {
  bank: BadgeCheck,
  usdt: BadgeCheck,
  received: UserRound,
  withdrawal: Send,
  answer: MessageCircle,
  claim: PiggyBank,
}

/** A notice as a link to its screen. */
export function NoticeItem({ notice, onFollow }: { notice: Notice; onFollow?: () => void }) {
  const s = useMemberStrings()
  const Icon = notice.state === 'Rejected' ? CircleX : ICONS[notice.kind]
  return (
    <Link
      to={screenOf(notice)}
      className={styles.notice}
      data-new={notice.unread}
      data-rejected={notice.state === 'Rejected'}
      {...(onFollow && { onClick: onFollow })}
    >
      <Icon size={18} aria-hidden="true" />
      <span className={styles.words}>
        <span>{textOf(notice, s)}</span>
        {notice.remark && (
          <span className={styles.remark} dir="auto">
            {notice.remark}
          </span>
        )}
        <time className={styles.when} dateTime={notice.at}>
          {formatMoment(notice.at, zone())}
        </time>
      </span>
      {notice.unread && <span className={styles.fresh}>{s.notices.fresh}</span>}
    </Link>
  )
}
