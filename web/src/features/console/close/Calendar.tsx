import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { formatDay, weekdays } from '@/lib/dates.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Close.module.css'
import { monthName, monthOf, shiftMonth, weeksOf } from './month.ts'
import { closedMonthOptions } from './queries.ts'

interface CalendarProps {
  /** The next day to close; empty before the first event. */
  next: string
  selected: string
  onSelect: (day: string) => void
}

/** A month with its closed days, each of which can be selected. */
export function Calendar({ next, selected, onSelect }: CalendarProps) {
  const { closeDay: t, table } = useConsoleStrings()
  const [month, setMonth] = useState(() => monthOf(selected || next))
  const { data, error, refetch } = useQuery(closedMonthOptions(month))
  const closed = new Set(data?.days.map(({ day }) => day))
  if (error) {
    return <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />
  }
  return (
    <Card title={t.calendar} actions={<Turn month={month} onTurn={setMonth} />}>
      <table className={styles.calendar} aria-label={t.month({ month: monthName(month) })}>
        <thead>
          <tr>
            {weekdays().map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find(Boolean)}>
              {week.map((day, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a weekday is identified by its place
                <td key={index}>
                  {day && (
                    <Day
                      day={day}
                      state={closed.has(day) ? 'closed' : day === next ? 'next' : 'open'}
                      selected={day === selected}
                      onSelect={onSelect}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Turn({ month, onTurn }: { month: string; onTurn: (month: string) => void }) {
  const { closeDay: t } = useConsoleStrings()
  return (
    <div className={styles.turn}>
      <Button
        size="xs"
        variant="default"
        aria-label={t.previous}
        onClick={() => onTurn(shiftMonth(month, -1))}
      >
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <span aria-live="polite">{monthName(month)}</span>
      <Button
        size="xs"
        variant="default"
        aria-label={t.next}
        onClick={() => onTurn(shiftMonth(month, 1))}
      >
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </div>
  )
}

interface DayProps {
  day: string
  state: 'closed' | 'next' | 'open'
  selected: boolean
  onSelect: (day: string) => void
}

function Day({ day, state, selected, onSelect }: DayProps) {
  const { closeDay: t } = useConsoleStrings()
  const number = String(Number(day.slice(-2)))
  const label = `${formatDay(day)}: ${t.states[state]}`
  if (state !== 'closed') {
    return (
      <span className={styles.day} data-state={state} title={label}>
        {number}
      </span>
    )
  }
  return (
    <button
      type="button"
      className={styles.day}
      data-state={state}
      aria-label={label}
      aria-pressed={selected}
      onClick={() => onSelect(day)}
    >
      {number}
    </button>
  )
}
