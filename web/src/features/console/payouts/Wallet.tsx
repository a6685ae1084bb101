import { Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Payouts.module.css'
import type { Chain } from './payoutActs.tsx'

interface WalletProps {
  query: UseQueryResult<Chain>
}

/** The way of payment: the server's hot wallet, or by hand from a list. */
export function Wallet({ query: { data, error, refetch } }: WalletProps) {
  const { payouts: t } = useConsoleStrings()
  if (error) {
    return <ErrorNotice error={error} text={t.chainFailed} onRetry={() => void refetch()} />
  }
  if (!data) return <Skeleton height={120} />
  if (data.hot_wallet === '') {
    return (
      <Card title={t.wallet}>
        <p>{data.configured ? t.noWallet : t.noChain}</p>
      </Card>
    )
  }
  return (
    <Card title={t.wallet}>
      <Facts facts={factsOf(data, t)} />
      {data.trouble && <p className={styles.trouble}>{serverText(data.trouble, data)}</p>}
    </Card>
  )
}

const factsOf = (chain: Chain, t: ConsoleStrings['payouts']) =>
  [
    [
      t.address,
      <code key="address" className={styles.address}>
        {chain.hot_wallet}
      </code>,
    ],
    [
      t.funds,
      chain.hot_wallet_unknown ? t.unknown : <Amount key="funds" value={chain.hot_wallet_funds} />,
    ],
    [
      t.gas,
      chain.hot_wallet_unknown
        ? t.unknown
        : t.gwei({ amount: chain.hot_wallet_gas_gwei.toLocaleString('en-US') }),
    ],
    [t.nodes, t.up({ up: chain.nodes.filter(({ up }) => up).length, all: chain.nodes.length })],
    [t.failedNow, chain.failed],
  ] as const
