import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { BrandLink } from '@/components/BrandLink.tsx'
import { Card } from '@/components/Card.tsx'
import type { MemberPath } from '@/lib/paths.ts'
import type { Dashboard } from '@/lib/queries/dashboard.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'

/** The eight items of the top card, in three groups. */
export function Summary({ row }: { row: Dashboard }) {
  const { dashboard: t, brand } = useMemberStrings()
  const { exchange, live_rate } = brand.dashboard
  return (
    <Card title={t.summary}>
      <div className={styles.groups}>
        <Group title={t.invested}>
          <Item name={t.robotInvestment} amount={row.MyPackage} to="/RobotActivationHistory" />
          <Item name={t.forexInvestment} amount={row.MyPackage_Forex} to="/ForexActHistory" />
          <Item name={t.cryptoInvestment} amount={row.MyPackage_Crypto} to="/CryptoActHistory" />
        </Group>
        <Group title={t.inFunds}>
          <Item name={t.robotFund} amount={row.Net_AdminFund} to="/FundReceived" />
          <Item name={t.forexFund} amount={row.Net_AdminFund_Forex} to="/FundReceived" />
          <Item name={t.cryptoFund} amount={row.Net_AdminFund_Crypto} to="/FundReceived" />
        </Group>
        <Group title={t.rate}>
          <li className={styles.line}>
            <span>{t.liveRate}</span>
            <strong>{live_rate}</strong>
          </li>
          <li className={styles.line}>
            <span>{t.exchange}</span>
            <BrandLink
              href={exchange.href}
              className={styles.mark}
              label={t.exchangeLink({ name: exchange.label })}
            >
              <ExchangeMark />
              {exchange.label}
              <ExternalLink size={14} aria-hidden="true" />
            </BrandLink>
          </li>
        </Group>
      </div>
    </Card>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={styles.group}>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

function Item({ name, amount, to }: { name: string; amount: string; to: MemberPath }) {
  return (
    <li className={styles.line}>
      <Link to={to} className={styles.whole}>
        {name}
      </Link>
      <strong>
        <Amount value={amount} />
      </strong>
    </li>
  )
}

/** Two coins that change places. */
function ExchangeMark() {
  return (
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <circle cx="12" cy="13" r="9" fill="var(--art-leaf-left)" />
      <circle cx="20" cy="19" r="9" fill="var(--art-leaf-right)" />
      <path
        d="M16 19h8m-2.5-2.5L24 19l-2.5 2.5"
        fill="none"
        stroke="var(--art-vein-right)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path
        d="M15 11.5H7m2.5-2.5L7 11.5 9.5 14"
        fill="none"
        stroke="var(--art-vein-left)"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
