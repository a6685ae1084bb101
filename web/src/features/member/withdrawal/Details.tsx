import { Button, Drawer } from '@mantine/core'
import { ChevronRight } from 'lucide-react'
import { Amount } from '@/components/Amount.tsx'
import { Facts } from '@/components/Facts.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { fundName } from '@/lib/funds.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Withdrawal.module.css'

type Row = components['schemas']['ReportRow']

const ENDED = ['Rejected', 'Cancelled']

/** The button that opens the details of one withdrawal. */
export function DetailsButton({ row, onClick }: { row: number; onClick: () => void }) {
  const { withdrawal: t } = useMemberStrings()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-haspopup="dialog"
      aria-label={`${t.details}: ${row}`}
      onClick={onClick}
    >
      <ChevronRight size={16} aria-hidden="true" />
    </Button>
  )
}

interface DetailsDrawerProps {
  row: number | null
  found?: Row | undefined
  onClose: () => void
}

/** The progress, the address and the reason of one withdrawal. */
export function DetailsDrawer({ row, found, onClose }: DetailsDrawerProps) {
  const { withdrawal: t, actions } = useMemberStrings()
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      title={t.detailsTitle({ id: String(row ?? '') })}
      position="right"
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {found && <Details row={found} />}
    </Drawer>
  )
}

export function Details({ row }: { row: Row }) {
  const strings = useMemberStrings()
  const { withdrawal: t, histories } = strings
  const facts = [
    [histories.amount, <Amount key="amount" value={row.Request_amount ?? '0'} />],
    [histories.charge, <Amount key="charge" value={row.admincharge ?? '0'} />],
    [histories.withdrawalAmount, <Amount key="net" value={row.amount ?? '0'} />],
    ...(row.parts ?? []).map(
      ({ fund, amount }) =>
        [
          t.fromFund({ fund: fundName(fund, strings) ?? fund }),
          <Amount key={fund} value={amount} />,
        ] as const,
    ),
    [t.toAddress, <Whole key="address" text={row.address} />],
    ...(row.hash ? [[t.hash, <Whole key="hash" text={row.hash} />] as const] : []),
    ...(row.remark ? [[t.reason, <bdi key="reason">{row.remark}</bdi>] as const] : []),
  ] as const
  return (
    <div className={styles.details}>
      <Progress row={row} />
      {row.notBefore && (
        <p className={styles.wait}>{t.notBefore({ when: formatMoment(row.notBefore, zone()) })}</p>
      )}
      <Facts facts={facts} />
    </div>
  )
}

const Whole = ({ text = '' }: { text?: string | undefined }) => (
  <bdi className={styles.address}>{text}</bdi>
)

/** Requested, approved, sent, confirmed: each with its time once it is reached. */
function Progress({ row }: { row: Row }) {
  const { withdrawal: t } = useMemberStrings()
  const steps = ENDED.includes(row.ss ?? '')
    ? [
        [t.steps.requested, row.rd],
        [term(row.ss ?? ''), row.pd],
      ]
    : [
        [t.steps.requested, row.rd],
        [t.steps.approved, row.approved],
        [t.steps.sent, row.sent],
        [t.steps.confirmed, row.confirmed],
      ]
  return (
    <ol className={styles.steps} aria-label={t.progress}>
      {steps.map(([name, at]) => (
        <li key={name} data-reached={Boolean(at)}>
          <span>{name}</span>
          {at && <time dateTime={at}>{formatMoment(at, zone())}</time>}
        </li>
      ))}
    </ol>
  )
}
