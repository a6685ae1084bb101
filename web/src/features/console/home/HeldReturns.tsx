import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { tradingLinesOptions } from '@/lib/operator/queries/tradingLines.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'

/** Booked returns without a settlement, by line, with the age of the oldest. */
export function HeldReturns() {
  const { lineBooks: t, console } = useConsoleStrings()
  const { data, error, refetch } = useQuery(tradingLinesOptions)
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={96} />
  const held = data.filter(({ batches }) => batches > 0)
  return (
    <Card title={t.held}>
      {held.length === 0 ? (
        <p>{t.nothingHeld}</p>
      ) : (
        <Facts
          facts={held.map(({ line, roi, age }) => [
            named(console.codes, line),
            <Link key={line} to="/admin/trading">
              <Amount value={roi} /> · {t.days({ count: age })}
            </Link>,
          ])}
        />
      )}
    </Card>
  )
}
