import {
  Alert,
  Button,
  Checkbox,
  Loader,
  NativeSelect,
  Skeleton,
  Textarea,
  TextInput,
} from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { Copy } from '@/components/Copy.tsx'
import { Chart } from '@/components/chart/Chart.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PasswordField } from '@/components/form/PasswordField.tsx'
import { Receipt } from '@/components/form/Receipt.tsx'
import { Leaves } from '@/components/Leaves.tsx'
import { NotFound } from '@/components/NotFound.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { dateColumn, moneyColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { isDemo } from '@/lib/brand.ts'
import { formatMoney } from '@/lib/money.ts'
import { toast } from '@/lib/toast.ts'
import { theme } from '../theme/theme.ts'
import styles from './KitPage.module.css'

/**
 * Every part of the design system in all its states, for developers: served in a demo only. Its
 * texts are not translated.
 */
export function Component() {
  return isDemo || import.meta.env.DEV ? <Parts /> : <NotFound />
}

function Parts() {
  return (
    <div className={styles.page}>
      <PageStack>
        <PageHeader title="Design system" />
        <Tokens />
        <Buttons />
        <Fields />
        <Words />
        <Tables />
        <Charts />
        <Feedback />
      </PageStack>
    </div>
  )
}

function Tokens() {
  const groups = {
    bg: theme.modes.light.backgrounds,
    text: theme.modes.light.texts,
    line: theme.modes.light.lines,
    series: theme.modes.light.series,
  }
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const boxes = Object.entries(groups).flatMap(([prefix, values]) =>
    Object.keys(values).map((name) => `--${prefix}-${kebab(name)}`),
  )
  const fills = Object.keys(theme.modes.light.fills)
  return (
    <>
      <Card title="Type">
        {Object.keys(theme.type).map((name) => (
          <p key={name} className={styles.sample} ref={styled('fontSize', token('type', name))}>
            {name} – $1,234.50 पैसे
          </p>
        ))}
      </Card>
      <Card title="Colours">
        <ul className={styles.grid}>
          {boxes.map((name) => (
            <li key={name}>
              <span className={styles.colour} ref={styled('background', `var(${name})`)} />
              {name}
            </li>
          ))}
          {fills.map((name) => (
            <li key={name} className={styles.fill} ref={fillOf(name)}>
              --fill-{name}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Space, corners and elevation">
        <ul className={styles.grid}>
          {Object.keys(theme.space).map((name) => (
            <li key={name}>
              <span className={styles.bar} ref={styled('inlineSize', token('space', name))} />
              space {name}
            </li>
          ))}
          {Object.keys(theme.radius).map((name) => (
            <li key={name}>
              <span className={styles.box} ref={styled('borderRadius', token('radius', name))} />
              radius {name}
            </li>
          ))}
          {['raised', 'floating'].map((name) => (
            <li key={name}>
              <span className={styles.box} ref={styled('boxShadow', token('shadow', name))} />
              shadow {name}
            </li>
          ))}
          {Object.entries(theme.motion).map(([name, value]) => (
            <li key={name}>
              motion {name}: {value}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Illustration">
        <Leaves size={96} />
      </Card>
    </>
  )
}

const token = (group: string, name: string) => `var(--${group}-${name})`

/** The policy forbids style attributes in HTML; a script may set a style. */
const styled =
  (name: 'fontSize' | 'background' | 'inlineSize' | 'borderRadius' | 'boxShadow', value: string) =>
  (element: HTMLElement | null) => {
    if (element) element.style[name] = value
  }

const fillOf = (name: string) => (element: HTMLElement | null) => {
  if (!element) return
  element.style.background = token('fill', name)
  element.style.color = token('on', name)
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <p>{name}</p>
      <div>{children}</div>
    </div>
  )
}

function Buttons() {
  return (
    <Card title="Buttons">
      <Row name="Primary: one on a screen">
        <Button>Withdraw</Button>
        <Button disabled>Processing..</Button>
        <Button loading>Withdraw</Button>
      </Row>
      <Row name="Secondary">
        <Button variant="default">Add funds</Button>
        <Button variant="default" disabled>
          Add funds
        </Button>
      </Row>
      <Row name="Small, in rows and cards">
        <Button size="xs" variant="default">
          Return
        </Button>
        <Button size="compact-sm" variant="default">
          Edit
        </Button>
        <Copy text="100001" label="User ID" copied="Copied" />
      </Row>
    </Card>
  )
}

function Fields() {
  return (
    <Card title="Fields">
      <div className={styles.fields}>
        <TextInput label="Name" description="As in your passport" defaultValue="Nina Newcomer" />
        <TextInput label="Amount ($)" error="Enter a whole dollar amount." defaultValue="1.5" />
        <TextInput label="User ID" readOnly defaultValue="100001" />
        <TextInput label="Name" disabled defaultValue="Not yours to change" />
        <PasswordField label="Password" defaultValue="secret" />
        <PasswordField label="Wrong password" error="Enter a password." />
        <NativeSelect label="Wallet Type" data={['Robot Fund', 'Forex Fund']} />
        <TextInput label="From Date" type="date" />
        <Textarea label="Query" rows={3} />
        <Checkbox label="I agree" defaultChecked />
      </div>
    </Card>
  )
}

function Words() {
  return (
    <Card title="Amounts, statuses and notices">
      <Row name="Amounts">
        <Amount value="29881.832761" />
        <Amount value="-12.5" />
        <Amount value="5" sign="always" />
      </Row>
      <Row name="Statuses">
        <StatusBadge word="Approved" good />
        <StatusBadge word="Rejected" good={false} />
        <StatusBadge word="Pending" good={undefined} />
      </Row>
      <Facts
        facts={[
          ['From', 'Robot Fund'],
          ['Balance after', <Amount key="after" value="80" />],
        ]}
      />
      <RiskNotice of="kit" />
      <ErrorNotice
        error={undefined}
        text="The list could not be loaded."
        onRetry={() => undefined}
      />
    </Card>
  )
}

interface Sample {
  id: string
  name: string
  amount: string
  state: string
  at: string
}

const ROWS: readonly Sample[] = [
  { id: '100002', name: 'Amara Lindqvist', amount: '1250.75', state: 'Approved', at: '2026-11-15' },
  { id: '100003', name: 'Kiran Keys', amount: '-20', state: 'Rejected', at: '2026-11-16' },
]

const COLUMNS = [
  textColumn<Sample>('User Id', (row) => row.id, { sort: 'id' }),
  textColumn<Sample>('Name', (row) => row.name, { slot: 'title' }),
  moneyColumn<Sample>('Amount', (row) => row.amount, { sort: 'amount' }),
  statusColumn<Sample>(
    'Status',
    (row) => row.state,
    (row) => row.state === 'Approved',
  ),
  dateColumn<Sample>('Date', (row) => row.at),
]

function Tables() {
  const [sort, setSort] = useState('')
  const all = { columns: COLUMNS, rowKey: (row: Sample) => row.id, empty: 'Transfers appear here.' }
  return (
    <Card title="Lists">
      <div className={styles.stack}>
        <DataTable label="Rows" rows={ROWS} sort={sort} onSort={setSort} {...all} />
        <DataTable label="Old rows" rows={ROWS} stale {...all} />
        <DataTable label="Loading" rows={undefined} {...all} />
        <DataTable label="Empty" rows={[]} {...all} />
      </div>
    </Card>
  )
}

const DAYS = Array.from({ length: 120 }, (_, at) => `Day ${at + 1}`)
const wave = (at: number, size: number) => Math.round(size * (1 + Math.sin(at / 5)))

function Charts() {
  const format = (value: number) => formatMoney(value.toFixed(2))
  const common = { labels: DAYS, format, labelName: 'Day', daily: true }
  return (
    <Card title="Charts">
      <div className={styles.stack}>
        <Chart
          {...common}
          title="Stacked bars with an open day"
          kind="bars"
          open
          series={[
            { name: 'Level income', values: DAYS.map((_, at) => wave(at, 60)) },
            { name: 'Matching income', values: DAYS.map((_, at) => wave(at + 9, 30)) },
          ]}
        />
        <Chart
          {...common}
          title="Gains and losses"
          kind="bars"
          series={[{ name: 'Result', values: DAYS.map((_, at) => wave(at, 50) - 50) }]}
        />
        <Chart
          {...common}
          title="Lines"
          kind="lines"
          series={[
            { name: 'Deposits', values: DAYS.map((_, at) => wave(at, 80)) },
            { name: 'Withdrawals', values: DAYS.map((_, at) => wave(at + 4, 40)) },
          ]}
        />
      </div>
    </Card>
  )
}

function Feedback() {
  const [asking, setAsking] = useState(false)
  return (
    <Card title="Progress, dialogs, receipts and toasts">
      <Row name="Loading">
        <Loader size="sm" />
        <Skeleton height={18} width={160} />
      </Row>
      <Row name="Toasts">
        <Button variant="default" onClick={() => toast.success('Profile Update Successfully')}>
          Success
        </Button>
        <Button variant="default" onClick={() => toast.error('Not enough funds.')}>
          Error
        </Button>
      </Row>
      <Row name="Dialog">
        <Button variant="default" onClick={() => setAsking(true)}>
          Ask
        </Button>
      </Row>
      <ConfirmDialog
        opened={asking}
        title="Please confirm"
        confirm="Confirm $20.00"
        onConfirm={() => setAsking(false)}
        onClose={() => setAsking(false)}
      >
        <p>Amara Lindqvist (100002) receives the money immediately.</p>
      </ConfirmDialog>
      <Receipt
        done={{
          effect: {
            text: '',
            done: 'Amara Lindqvist (100002) received it.',
            wallet: 'Robot Fund',
            balance: '100',
            amount: '20',
          },
          at: '2026-11-15T20:30:00Z',
        }}
        onClose={() => undefined}
      />
      <Alert title="Notice">
        Withdrawals pause for 48 hours after you change your USDT address.
      </Alert>
    </Card>
  )
}
