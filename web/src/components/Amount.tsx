import { exactTitle, formatMoney, type MoneyFormat, signOf } from '@/lib/money.ts'
import styles from './Amount.module.css'

/**
 * Dollars in figures that line up, and the exact amount on hover if cents do not show all of it. A
 * negative amount keeps its sign, and is red besides.
 */
export function Amount({ value, sign }: { value: string } & MoneyFormat) {
  return (
    <span className={styles.amount} data-negative={signOf(value) < 0} {...exactTitle(value)}>
      {formatMoney(value, sign ? { sign } : {})}
    </span>
  )
}
