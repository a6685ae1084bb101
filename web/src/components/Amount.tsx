import { formatMoney, type MoneyFormat, signOf } from '@/lib/money.ts'
import styles from './Amount.module.css'

/** An amount in dollars with tabular figures. A negative amount keeps its sign and is red. */
export function Amount({ value, sign }: { value: string } & MoneyFormat) {
  return (
    <span className={styles.amount} data-negative={signOf(value) < 0}>
      {formatMoney(value, sign ? { sign } : {})}
    </span>
  )
}
