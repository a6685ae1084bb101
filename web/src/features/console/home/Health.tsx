import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { useMe } from '@/lib/operator/queries/me.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Home.module.css'
import { healthOptions } from './queries.ts'

type Answer = components['schemas']['HealthAnswer']
type Texts = ConsoleStrings['console']['home']
type Fact = readonly [name: string, value: ReactNode]

/** The state of closes, ledger, mail, chain, disk and network. */
export function Health() {
  const { console: t } = useConsoleStrings()
  const { data: me } = useMe()
  const { data, error, refetch } = useQuery(healthOptions)
  if (error) {
    return <ErrorNotice error={error} text={t.home.unwell} onRetry={() => void refetch()} />
  }
  if (!data || !me) return <Skeleton height={240} />
  // The shell already shows why payments are frozen.
  const alarm = data.ledger.frozen === '' ? data.ledger.finding : ''
  return (
    <section aria-labelledby="health">
      <h2 id="health" className={styles.heading}>
        {t.home.health}
      </h2>
      {alarm !== '' && (
        <p role="alert" className={styles.alarm}>
          {t.home.frozen({ why: alarm })}
        </p>
      )}
      {data.ledger.anchor !== '' && (
        <p role="alert" className={styles.alarm}>
          {t.home.anchorWrong({ why: data.ledger.anchor })}
        </p>
      )}
      {reachAlarms(data, t.home).map((text) => (
        <p key={text} role="alert" className={styles.alarm}>
          {text}
        </p>
      ))}
      <details className={styles.details} open={!isWell(data)}>
        <summary>
          {isWell(data)
            ? t.home.allWell({ day: day(data.close.day, t.home.never) })
            : t.home.notWell}
        </summary>
        <div className={styles.cards}>
          <Card title={t.home.closes}>
            <Facts facts={[...closesOf(data, t.home), [t.home.recovery, me.recoveryLeft]]} />
          </Card>
          <Card title={t.home.ledger}>
            <Facts facts={ledgerOf(data, t.home)} />
          </Card>
          <Card title={t.home.mail}>
            <Facts facts={mailOf(data, t.home)} />
          </Card>
          <Card title={t.home.chain}>
            <Facts facts={chainOf(data, t.home)} />
          </Card>
          <Card title={t.home.disk}>
            <Facts facts={diskOf(data, t.home)} />
          </Card>
          <Card title={t.home.reach}>
            <Facts facts={reachOf(data, t.home)} />
          </Card>
        </div>
      </details>
    </section>
  )
}

/** Whether nothing needs attention, so that one line is enough. */
const isWell = ({ ledger, mail, chain, disk, reach }: Answer): boolean =>
  [ledger.finding, ledger.frozen, ledger.anchor].every((text) => text === '') &&
  mail.server &&
  mail.failed + mail.forged === 0 &&
  chain.error === '' &&
  chain.payouts_held === '' &&
  chain.down === 0 &&
  !disk.low &&
  [reach.proxy, reach.url, reach.listen].every((text) => text === '')

const moment = (at: string, never: string) => (at === '' ? never : formatMoment(at, zone()))
const day = (on: string, never: string) => (on === '' ? never : formatDay(on))

/** A value with its status beside it. */
const judged = (value: ReactNode, word: string, good: boolean) => (
  <span className={styles.ratio}>
    {value}
    <StatusBadge word={word} good={good} />
  </span>
)

const closesOf = ({ close }: Answer, t: Texts): Fact[] => [
  [t.lastClosed, day(close.day, t.never)],
  [t.closedAt, moment(close.at, t.never)],
  [
    t.nextDay,
    close.next === ''
      ? t.never
      : judged(formatDay(close.next), close.next_over ? t.overdue : t.running, !close.next_over),
  ],
]

const ledgerOf = ({ ledger, leading }: Answer, t: Texts): Fact[] => {
  const good = ledger.finding === '' && ledger.frozen === ''
  const anchored = ledger.anchor === ''
  const checked = ledger.checked === '' && !leading ? t.elsewhere : moment(ledger.checked, t.never)
  return [
    [t.checked, checked],
    [t.money, <StatusBadge key="money" word={good ? t.moves : t.still} good={good} />],
    [
      t.anchor,
      <StatusBadge key="anchor" word={anchored ? t.anchored : t.notAnchored} good={anchored} />,
    ],
  ]
}

const mailOf = ({ mail }: Answer, t: Texts): Fact[] => [
  [t.mailServer, <StatusBadge key="server" word={mail.server ? t.on : t.off} good={mail.server} />],
  [t.mailWaiting, mail.waiting],
  [t.mailOldest, moment(mail.oldest, t.none)],
  [t.mailFailed, mail.failed],
  [t.mailForged, judged(mail.forged, mail.forged === 0 ? t.well : t.changed, mail.forged === 0)],
]

const chainOf = ({ chain, leading }: Answer, t: Texts): Fact[] => {
  const held: Fact = [
    t.payouts,
    judged(
      serverText(chain.payouts_held, chain.payouts_held_text) || t.notHeld,
      chain.payouts_held ? t.held : t.well,
      !chain.payouts_held,
    ),
  ]
  if (!chain.configured) return [[t.watcher, t.chainOff], held]
  const good = chain.error === ''
  const looked = chain.looked === '' && !leading ? t.elsewhere : moment(chain.looked, t.never)
  return [
    [t.looked, looked],
    [
      t.watcher,
      good ? (
        <StatusBadge key="well" word={t.well} good />
      ) : (
        serverText(chain.error, chain.error_text)
      ),
    ],
    [t.nodesDown, `${chain.down} / ${chain.nodes}`],
    held,
  ]
}

const MEGA = 1_000_000
const GIGA = 1_000_000_000
const sizeOf = (bytes: number) =>
  bytes < GIGA ? `${(bytes / MEGA).toFixed(1)} MB` : `${(bytes / GIGA).toFixed(2)} GB`

const diskOf = ({ disk }: Answer, t: Texts): Fact[] => [
  [
    t.free,
    disk.free < 0 ? t.unknown : judged(sizeOf(disk.free), disk.low ? t.low : t.enough, !disk.low),
  ],
  [t.database, sizeOf(disk.database)],
]

const reachOf = ({ reach }: Answer, t: Texts): Fact[] => {
  const lights = [
    [t.reachProxy, reach.proxy, t.untrusted],
    [t.reachUrl, reach.url, t.plainHttp],
    [t.reachListen, reach.listen, t.openListener],
  ] as const
  const [proxy, ...others] = lights.map(
    ([name, found, word]): Fact => [
      name,
      <StatusBadge key={name} word={found === '' ? t.well : word} good={found === ''} />,
    ],
  )
  const passer: Fact[] =
    reach.proxy === ''
      ? []
      : [
          [t.proxyAddress, reach.proxy],
          [t.proxySeen, moment(reach.proxy_seen, t.never)],
        ]
  return [...(proxy ? [proxy] : []), ...passer, ...others]
}

const reachAlarms = ({ reach }: Answer, t: Texts): string[] => [
  ...(reach.proxy === '' ? [] : [t.proxyAlarm({ address: reach.proxy })]),
  ...(reach.url === '' ? [] : [t.urlAlarm({ url: reach.url })]),
  ...(reach.listen === '' ? [] : [t.listenAlarm({ address: reach.listen })]),
]
