import { ArrowLeftRight } from 'lucide-react'
import { Amount } from '@/components/Amount.tsx'
import { BrandLink } from '@/components/BrandLink.tsx'
import { Card } from '@/components/Card.tsx'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'

export function Summary({ row }: { row: Dashboard }) {
  const { dashboard: t, brand } = useMemberStrings()
  const amounts = [
    [t.robotInvestment, row.MyPackage],
    [t.forexInvestment, row.MyPackage_Forex],
    [t.cryptoInvestment, row.MyPackage_Crypto],
    [t.robotFund, row.Net_AdminFund],
    [t.forexFund, row.Net_AdminFund_Forex],
    [t.cryptoFund, row.Net_AdminFund_Crypto],
  ] as const
  return (
    <Card title={t.summary}>
      <ul className={styles.items}>
        {amounts.map(([name, amount]) => (
          <li key={name}>
            <p className={styles.name}>{name}</p>
            <p className={styles.value}>
              <Amount value={amount} />
            </p>
          </li>
        ))}
        <li>
          <p className={styles.name}>{t.liveRate}</p>
          <p className={styles.value}>{brand.dashboard.live_rate}</p>
        </li>
        <li>
          <p className={styles.name}>{t.exchange}</p>
          <BrandLink href={brand.dashboard.exchange.href} className={styles.mark}>
            <ArrowLeftRight size={24} aria-hidden="true" />
            {brand.dashboard.exchange.label}
          </BrandLink>
        </li>
      </ul>
    </Card>
  )
}
