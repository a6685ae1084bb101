import { Button, Group } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Facts } from '@/components/Facts.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import { formatDate, formatDay, zone } from '@/lib/dates.ts'
import { balanceOf } from '@/lib/funds.ts'
import { formatMoney, isAmount } from '@/lib/money.ts'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { term } from '@/lib/strings/serverText.ts'
import styles from './Activation.module.css'
import type { Line, Package } from './lines.ts'

/** A purchase that was just made. */
export interface Bought {
  chosen: Package
  price: string
  person: string
}

interface ReceiptProps {
  line: Line
  bought: Bought | null
  onClose: () => void
}

/** The receipt of a purchase. */
export function Receipt({ line, bought, onClose }: ReceiptProps) {
  const { activations: t } = useMemberStrings()
  return (
    <SendingModal held={false} opened={bought !== null} onClose={onClose} title={t.receiptTitle}>
      {bought && <Body line={line} bought={bought} onClose={onClose} />}
    </SendingModal>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

function Body({ line, bought, onClose }: ReceiptProps & { bought: Bought }) {
  const { activations: t, fundNames } = useMemberStrings()
  const { actions } = useStrings()
  const { data: row } = useDashboard()
  const { data: rules } = useMoneyRules()
  const [now] = useState(() => Date.now())
  const { chosen, price, person } = bought
  const day = (ms: number) => formatDate(new Date(ms).toISOString(), zone())
  const balance = row && balanceOf(row, line.fund)
  const said = {
    amount: isAmount(price) ? formatMoney(price) : '–',
    what: term(chosen.name),
  }
  return (
    <>
      <p className={styles.receipt}>
        <CircleCheck size={24} aria-hidden="true" />
        {(line.name ? t.receiptInvest : t.receiptBuy)(said)}
      </p>
      <Facts
        facts={[
          [t.receiptFor, person],
          [t.receiptFrom, fundNames[line.fund]],
          [t.receiptDate, day(now)],
          ...(chosen.terms ? [[t.endsOn, formatDay(chosen.terms.ends)] as const] : []),
          ...(!line.name && rules
            ? [[t.receiptReturn, day(now + rules.coolingOffDays * DAY_MS)] as const]
            : []),
          ...(balance === undefined ? [] : [[t.receiptBalance, formatMoney(balance)] as const]),
        ]}
      />
      <Group justify="flex-end" mt="lg">
        {!line.name && (
          <Button component={Link} to="/Lessons" variant="default">
            {t.toLessons}
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          {actions.close}
        </Button>
      </Group>
    </>
  )
}
