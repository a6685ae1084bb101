import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { formatMoney } from '@/lib/money.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Funds.module.css'
import { PayTo } from './PayTo.tsx'
import type { Deposit } from './queries.ts'

/** The member's own deposit address. */
export function OwnAddress({ deposit }: { deposit: Deposit }) {
  const { deposit: t } = useMemberStrings()
  const { address, confirmations, minimum } = deposit
  return (
    <Card title={t.own}>
      {address === '' ? (
        <p className={styles.note}>{t.noOwn}</p>
      ) : (
        <div className={styles.address}>
          <PayTo address={address} label={t.own} />
          <p>{t.ownText({ confirmations })}</p>
          <p className={styles.note}>{t.ownFund}</p>
          <p className={styles.note}>{t.network}</p>
          <p className={styles.note}>{t.least({ amount: formatMoney(minimum) })}</p>
        </div>
      )}
    </Card>
  )
}

/** Payments on the chain that do not have enough confirmations yet. */
export function OnTheWay({ seen }: { seen: Deposit['seen'] }) {
  const { deposit: t } = useMemberStrings()
  if (seen.length === 0) return null
  return (
    <Card title={t.onTheWay}>
      <ul className={styles.lines}>
        {seen.map(({ utrno, amount, confirmations, needed }) => (
          <li key={`${utrno} ${amount}`} className={styles.line}>
            <div className={styles.what}>
              <p>
                <Amount value={amount} />
              </p>
              <p className={styles.hash} title={utrno}>
                {utrno}
              </p>
            </div>
            <StatusBadge word={t.seen({ confirmations, needed })} good={undefined} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
