import { usePart } from '@/components/usePart.ts'
import { useNotices } from '@/lib/queries/notices.ts'
import { NoticeButton } from './NoticeButton.tsx'

/** The number of unread notices. The list and its code load on the first press. */
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
