import { formatMoney, type MoneyFormat, signOf } from '@/lib/money.ts'
import styles from './Amount.module.css'

/** Dollars in figures that line up. A negative amount keeps its sign, and is red besides. */
export function Amount({ value, sign }: { value: string } & MoneyFormat) {
  return (
    <span className={styles.amount} data-negative={signOf(value) < 0}>
      {formatMoney(value, sign ? { sign } : {})}
    </span>
  )
}
