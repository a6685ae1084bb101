import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card, CardsOf } from '@/components/Card.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { CloseRows, Overview, type RowsShown } from './Overview.tsx'
import { closedDayOptions } from './queries.ts'
import { Replay } from './Replay.tsx'

const FIRST: RowsShown = { only: '', page: 1, size: 25 }

/** A closed day: its totals, its rows, and its replay. */
export function PastDay({ day, onClose }: { day: string; onClose: () => void }) {
  const { closeDay: t, closes } = useConsoleStrings()
  const [shown, setShown] = useState(FIRST)
  const { data, error, refetch, isPlaceholderData } = useQuery(closedDayOptions(day, shown))
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  return (
    <section className={layout.page} aria-labelledby="past-day">
      <h2 id="past-day" className={layout.heading}>
        {t.title({ day: formatDay(data.day) })}
      </h2>
      <CardsOf value={formatDay(data.day)}>
        <div className={layout.columns}>
          <Card
            title={closes.makes}
            actions={
              <Button size="xs" variant="default" onClick={onClose}>
                {t.back}
              </Button>
            }
          >
            <Facts
              facts={[
                [closes.rows, data.rows],
                [closes.plan, data.plan],
                [closes.closedAt, formatMoment(data.at, zone())],
                [
                  closes.digest,
                  <span key="digest" className={layout.digest}>
                    {data.digest}
                  </span>,
                ],
              ]}
            />
          </Card>
          <Replay day={day} />
        </div>
        <Overview look={data} />
        <CloseRows
          rows={data.list}
          found={data.found}
          shown={shown}
          of={data}
          stale={isPlaceholderData}
          onShow={setShown}
        />
      </CardsOf>
    </section>
  )
}
