import { Anchor, Button } from '@mantine/core'
import { CircleCheck, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { formatMoment, zone } from '@/lib/dates.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Amount } from '../Amount.tsx'
import { Facts } from '../Facts.tsx'
import { type Effect, needOf } from './effect.ts'
import styles from './MoneyForm.module.css'

/** What was done, and when; the balance is the one before it. */
export interface Done {
  effect: Effect
  at: string
}

/** The receipt of a movement of money. It stays until it is closed or the next one is asked for. */
export function Receipt({ done, onClose }: { done: Done; onClose: () => void }) {
  const { moneyForm: t } = useStrings()
  const { effect, at } = done
  const { typed, after } = needOf(effect)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <section ref={panel} tabIndex={-1} className={styles.receipt} aria-label={t.receipt}>
      <CircleCheck size={32} aria-hidden="true" className={styles.tick} />
      <p className={styles.figure}>
        <Amount value={typed} />
      </p>
      {effect.done && <p>{effect.done}</p>}
      <Facts
        facts={[
          [t.from, effect.wallet],
          ...(effect.receives === undefined
            ? []
            : [[t.receives, <Amount key="receives" value={effect.receives} />] as const]),
          ...(after === undefined
            ? []
            : [[t.after, <Amount key="after" value={after} />] as const]),
          [t.at, formatMoment(at, zone())],
          ...(effect.receipt ?? []),
        ]}
      />
      {effect.next && (
        <Anchor component={Link} to={effect.next.to}>
          {effect.next.text}
        </Anchor>
      )}
      <div className={styles.receiptActions}>
        <Button variant="default" size="xs" onClick={onClose}>
          {t.finish}
        </Button>
        <Button
          variant="default"
          size="xs"
          leftSection={<Printer size={14} aria-hidden="true" />}
          onClick={() => print()}
        >
          {t.print}
        </Button>
      </div>
    </section>
  )
}
