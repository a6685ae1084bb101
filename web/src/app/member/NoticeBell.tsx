import { usePart } from '@/components/usePart.ts'
import { useNotices } from '@/lib/queries/notices.ts'
import { NoticeButton } from './NoticeButton.tsx'

/** How much is new; what that is comes when somebody wants to see it, with the code that shows it. */
export function NoticeBell() {
  const { data } = useNotices()
  const { part, fetchPart } = usePart(() => import('./OpenNotices.tsx'))
  if (part) return <part.default />
  return (
    <NoticeButton
      unread={data?.unread ?? 0}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => void fetchPart()}
    />
  )
}
