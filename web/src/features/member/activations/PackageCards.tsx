import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMoney, minus, signOf } from '@/lib/money.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Activation.module.css'
import { type Package, packageWorth, priceOf, robot, type Topup } from './lines.ts'

interface PackageCardsProps {
  packages: readonly Package[]
  topup: Topup | undefined
  /** The receiver's total spent on packages, if it is known. */
  owned: string | undefined
  value?: string
  onChange?: (value: string) => void
  error?: ReactNode
  'data-path'?: string
}

/** The Robot packages as cards, one of which is chosen. */
export function PackageCards(props: PackageCardsProps) {
  const { packages, topup, owned, value = '', onChange, error, 'data-path': path } = props
  const { activations: t } = useMemberStrings()
  const mine = topup === 'Upgrade' ? packageWorth(packages, owned) : undefined
  return (
    <Radio.Group label={t.package} value={value} error={error} {...(onChange && { onChange })}>
      <div className={styles.cards}>
        {packages.map((one, at) => (
          <Radio.Card
            key={one.id}
            value={one.id}
            className={styles.card}
            aria-label={t.packageOption({ name: term(one.name), amount: formatMoney(one.amount) })}
            // The element that gets the focus if no package is chosen.
            {...((value ? one.id === value : at === 0) && { 'data-path': path })}
          >
            <span className={styles.cardHead}>
              <span className={styles.cardName}>{term(one.name)}</span>
              <Radio.Indicator />
            </span>
            <span className={styles.cardPrice}>{formatMoney(one.amount)}</span>
            {one.cap && (
              <span className={styles.cardLine}>{t.packageCap({ cap: formatMoney(one.cap) })}</span>
            )}
            <Mark {...{ one, mine, topup, owned, t }} />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}

interface MarkProps {
  one: Package
  mine: Package | undefined
  topup: Topup | undefined
  owned: string | undefined
  t: MemberStrings['activations']
}

/** Whether the member has the package, and the price of an upgrade to it. */
function Mark({ one, mine, topup, owned, t }: MarkProps) {
  if (one.id === mine?.id) return <span className={styles.cardMark}>{t.yours}</span>
  if (topup !== 'Upgrade' || owned === undefined) return null
  if (signOf(minus(one.amount, owned)) <= 0) {
    return <span className={styles.cardLine}>{t.included}</span>
  }
  const price = priceOf({ line: robot, chosen: one, amount: '', topup, owned })
  return <span className={styles.cardPay}>{t.payNow({ amount: formatMoney(price) })}</span>
}
