import { Popover } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { NoticeItem } from '@/features/member/notices/NoticeItem.tsx'
import { markRead, noticesOptions, useNotices } from '@/lib/queries/notices.ts'
import { useVisit } from '@/lib/queries/visit.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { NoticeButton } from './NoticeButton.tsx'
import styles from './Notices.module.css'

/** A second press so soon after the first belongs to the first. */
const OPENING_MS = 500

/** Opens when it mounts; from then on its button opens and closes it. */
export default function OpenNotices() {
  const { notices: t } = useMemberStrings()
  const { userId } = useSession()
  const client = useQueryClient()
  const visit = useVisit()
  const { data, isError } = useNotices()
  const [opened, setOpened] = useState(true)
  const notices = data?.notices ?? []
  const unread = data?.unread ?? 0

  // Notices on the screen are read; they stay marked as new until the list is closed.
  const isNew = opened && unread > 0 && visit === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each newest notice
  useEffect(() => {
    if (isNew) void markRead(userId, notices)
  }, [isNew, notices[0]?.at])

  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpened(false)
    if (unread > 0) void client.invalidateQueries(noticesOptions(userId))
  }
  const change = (next: boolean) => {
    if (next) return setOpened(true)
    close()
    // The button that was pressed first is gone: this one has replaced it.
    button.current?.focus()
  }
  const openedAt = useRef(0)
  useEffect(() => {
    if (opened) openedAt.current = performance.now()
  }, [opened])
  const press = () => {
    if (opened && performance.now() - openedAt.current < OPENING_MS) return
    change(!opened)
  }
  return (
    <Popover
      position="bottom-end"
      width={340}
      opened={opened}
      onChange={change}
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <NoticeButton
          ref={button}
          unread={unread}
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={press}
          // The panel receives Escape only once it has the focus, a moment after it is visible.
          onKeyDown={(event) => event.key === 'Escape' && opened && change(false)}
        />
      </Popover.Target>
      <Popover.Dropdown className={styles.panel ?? ''} role="dialog" aria-label={t.title}>
        <h2 className={styles.title} tabIndex={-1} data-autofocus>
          {t.title}
        </h2>
        {notices.length === 0 && <p className={styles.none}>{isError ? t.failed : t.none}</p>}
        <ul className={styles.list}>
          {notices.map((notice) => (
            <li key={`${notice.kind} ${notice.id}`}>
              <NoticeItem notice={notice} onFollow={close} />
            </li>
          ))}
        </ul>
        {notices.length > 0 && (
          <Link to="/Notices" className={styles.all} onClick={close}>
            {t.all}
          </Link>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
