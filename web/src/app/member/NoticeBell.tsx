import { lazy, Suspense, useState } from 'react'
import { useNotices } from '@/lib/api/notices.ts'
import { NoticeButton } from './NoticeButton.tsx'

const OpenNotices = lazy(() => import('./OpenNotices.tsx'))

/** How much is new; what that is comes when somebody wants to see it, with the code that shows it. */
export function NoticeBell() {
  const { data } = useNotices()
  const [wanted, setWanted] = useState(false)
  const unread = data?.unread ?? 0
  const button = (
    <NoticeButton
      unread={unread}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <OpenNotices />
    </Suspense>
  )
}
