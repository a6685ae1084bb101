import { exactTitle, formatMoney, type MoneyFormat, signOf } from '@/lib/money.ts'
import styles from './Amount.module.css'

/**
 * An amount in dollars and cents with tabular figures; the title has the exact amount if it has
 * more places. A negative amount keeps its sign and is red.
 */
export function Amount({ value, sign }: { value: string } & MoneyFormat) {
  return (
    <span className={styles.amount} data-negative={signOf(value) < 0} {...exactTitle(value)}>
      {formatMoney(value, sign ? { sign } : {})}
    </span>
  )
}
