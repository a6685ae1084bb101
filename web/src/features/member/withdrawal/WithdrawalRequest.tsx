import { Anchor, Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { Columns } from '@/components/Columns.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { formatMoney } from '@/lib/money.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { Pending } from './Pending.tsx'
import { useAddress, useBalances } from './queries.ts'
import styles from './Withdrawal.module.css'
import { WithdrawalForm } from './WithdrawalForm.tsx'
import { WALLETS } from './wallets.ts'

/** Withdraws incomes and unused deposits. */
export function Component() {
  const { withdrawal: t } = useMemberStrings()
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      <Columns
        side={
          <>
            <Balances />
            <PaidTo />
            <Rules />
          </>
        }
      >
        <Card title={t.formTitle}>
          <WithdrawalForm />
        </Card>
        <Pending />
      </Columns>
    </>
  )
}

function Balances() {
  const { withdrawal: t } = useMemberStrings()
  const { data, error, refetch } = useBalances()
  return (
    <Card title={t.available}>
      {error ? (
        <ErrorNotice error={error} text={t.balancesFailed} onRetry={() => void refetch()} />
      ) : data ? (
        <Facts
          facts={WALLETS.map((wallet) => [
            t.wallets[wallet],
            <Amount key={wallet} value={data[wallet] ?? '0'} />,
          ])}
        />
      ) : (
        <Skeleton height={280} />
      )}
    </Card>
  )
}

function PaidTo() {
  const { withdrawal: t } = useMemberStrings()
  const { data: address } = useAddress()
  if (address === undefined) return null
  return (
    <Card title={t.addressTitle}>
      {address ? (
        <p className={styles.address}>{address}</p>
      ) : (
        <>
          <p>{t.noAddress}</p>
          <Anchor component={Link} to="/ECurrencyDetails">
            {t.setAddress}
          </Anchor>
        </>
      )}
    </Card>
  )
}

/** Parts per million as percent, exact and without the sign: 50000 is 5. */
const percent = (ppm: number) => String(ppm / 10_000)

function Rules() {
  const { withdrawal: t } = useMemberStrings()
  const { data: rules } = useMoneyRules()
  if (!rules) return null
  return (
    <Card title={t.rulesTitle}>
      <ul className={styles.rules}>
        <li>{t.minimum({ min: formatMoney(rules.withdrawMin) })}</li>
        <li>{t.fee({ percent: percent(rules.withdrawChargePPM) })}</li>
        <li>{t.freeFund}</li>
        <li>{t.daily({ most: formatMoney(rules.withdrawDaily) })}</li>
        <li>{t.walletWait({ hours: rules.walletWaitHours })}</li>
        <li>{t.accessWait({ hours: rules.accessWaitHours })}</li>
        <li>{t.review}</li>
      </ul>
    </Card>
  )
}
