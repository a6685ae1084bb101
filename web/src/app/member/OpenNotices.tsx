import { Popover } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatMoment, zone } from '@/lib/dates.ts'
import { formatMoney } from '@/lib/money.ts'
import type { MemberPath } from '@/lib/paths.ts'
import { markRead, type Notice, noticesOptions, useNotices } from '@/lib/queries/notices.ts'
import { useSession } from '@/lib/session.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import { NoticeButton } from './NoticeButton.tsx'
import styles from './Notices.module.css'
import { useVisit } from './visit.ts'

/** The address with more about a notice. */
const screens: Record<Notice['kind'], MemberPath | ((notice: Notice) => MemberPath)> = {
  bank: '/FundrequestBank',
  usdt: '/FundRequestECurrency',
  received: '/FundReceived',
  withdrawal: '/WithdrawLog',
  answer: '/Support',
  claim: ({ name }) => (name === 'CRYPTO' ? '/WithdrawalClaimCrypto' : '/WithdrawalClaim'),
}

const screenOf = (notice: Notice): MemberPath => {
  const screen = screens[notice.kind]
  return typeof screen === 'function' ? screen(notice) : screen
}

function errorText({ kind, state, name, from, amount, id }: Notice, t: MemberStrings['notices']) {
  const money = formatMoney(amount)
  switch (kind) {
    case 'bank':
    case 'usdt':
      return state === 'Approved'
        ? t.fundApproved({ amount: money })
        : t.fundRejected({ amount: money })
    case 'received':
      return t.received({ amount: money, from })
    case 'withdrawal':
      return t.withdrawal({ amount: money, state: term(state) })
    case 'answer':
      return t.answer({ id })
    case 'claim':
      return state === 'Ready'
        ? t.claimReady({ line: term(name), amount: money })
        : t.claimWaits({ line: term(name), amount: money })
  }
}

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
              <Link
                to={screenOf(notice)}
                className={styles.notice}
                data-new={notice.unread}
                onClick={close}
              >
                {notice.unread && <span className={styles.fresh}>{t.fresh}</span>}
                <span>{errorText(notice, t)}</span>
                {notice.remark && (
                  <span className={styles.remark} dir="auto">
                    {notice.remark}
                  </span>
                )}
                <time className={styles.when} dateTime={notice.at}>
                  {formatMoment(notice.at, zone())}
                </time>
              </Link>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
