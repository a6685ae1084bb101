import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { partOf } from '@/lib/money.ts'
import { binaryTreeOptions } from '@/lib/queries/binaryTree.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Charts.module.css'

/** Both legs: their business, and the part that is carried to the next close. */
export function LegsChart() {
  const { dashboard: t } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(binaryTreeOptions(userId, userId))
  const self = data?.[0]
  return (
    <Card title={t.legsChart}>
      {error ? (
        <ErrorNotice error={error} text={t.chartFailed} onRetry={() => void refetch()} />
      ) : self ? (
        <>
          <Pair title={t.legBusiness} left={self.lbv} right={self.rbv} />
          <Pair title={t.legCarried} left={self.T_LeftB} right={self.T_RightB} />
          <p className={styles.note}>{t.legBusinessNote}</p>
          <p className={styles.note}>{t.legNote}</p>
        </>
      ) : (
        <Skeleton height={240} />
      )}
    </Card>
  )
}

/** Two bars on one scale. */
function Pair({ title, left, right }: { title: string; left: string; right: string }) {
  const { dashboard: t } = useMemberStrings()
  const most = partOf(left, right) > 1 ? left : right
  const bars = [
    [t.left, left, 'left'],
    [t.right, right, 'right'],
  ] as const
  return (
    <section className={styles.pair}>
      <h3>{title}</h3>
      {bars.map(([name, amount, side]) => (
        <div key={side} className={styles.bar}>
          <span>{name}</span>
          <svg aria-hidden="true">
            <rect
              width={`${100 * Math.min(1, partOf(amount, most))}%`}
              height="100%"
              data-side={side}
            />
          </svg>
          <Amount value={amount} />
        </div>
      ))}
    </section>
  )
}
