import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { formatMoney, minus, partOf, signOf } from '@/lib/money.ts'
import { binaryTreeOptions } from '@/lib/queries/binaryTree.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Legs.module.css'

const count = new Intl.NumberFormat('en-US')

/** Both legs from a line in the middle, and the volume that waits for the other leg. */
export function LegsChart({ row }: { row: Dashboard }) {
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
          <div className={styles.heads}>
            <Link to="/MyTeam?position=1">{t.leftLeg}</Link>
            <Link to="/MyTeam?position=2">{t.rightLeg}</Link>
          </div>
          <Pair
            title={t.legMembers}
            left={String(row.TotalLeftTeam)}
            right={String(row.TotalRightTeam)}
            show={(value) => count.format(Number(value))}
          />
          <Pair title={t.legBusiness} left={self.lbv} right={self.rbv} />
          <Pair title={t.legCarried} left={self.T_LeftB} right={self.T_RightB} />
          <p className={styles.waits}>
            <strong>{waiting(self.T_LeftB, self.T_RightB, t)}</strong> {t.waitsMeaning}
          </p>
          <details className={styles.notes}>
            <summary>
              <Info size={16} aria-hidden="true" />
              {t.legNotes}
            </summary>
            <p>{t.legBusinessNote}</p>
            <p>{t.legNote}</p>
          </details>
        </>
      ) : (
        <Skeleton height={300} />
      )}
    </Card>
  )
}

/** The sentence about the volume that one leg has more than the other. */
export function waiting(
  left: string,
  right: string,
  t: ReturnType<typeof useMemberStrings>['dashboard'],
): string {
  const more = minus(left, right)
  if (signOf(more) === 0) return t.waitsNone
  return signOf(more) > 0
    ? t.waitsRight({ amount: formatMoney(more) })
    : t.waitsLeft({ amount: formatMoney(minus('0', more)) })
}

interface PairProps {
  title: string
  left: string
  right: string
  /** By default dollars. */
  show?: (value: string) => ReactNode
}

/** Two bars on one scale, away from the middle. */
function Pair({ title, left, right, show = (value) => <Amount value={value} /> }: PairProps) {
  const most = partOf(left, right) > 1 ? left : right
  const width = (value: string) => `${100 * Math.min(1, partOf(value, most))}%`
  return (
    <section className={styles.pair}>
      <span className={styles.value}>{show(left)}</span>
      <h3>{title}</h3>
      <span className={styles.value}>{show(right)}</span>
      <div className={styles.bars} aria-hidden="true">
        <div data-side="left">
          <div style={{ inlineSize: width(left) }} />
        </div>
        <div data-side="right">
          <div style={{ inlineSize: width(right) }} />
        </div>
      </div>
    </section>
  )
}
