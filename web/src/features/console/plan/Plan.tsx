import { Button, Group, Modal, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import { Changes } from '@/components/console/draft/Findings.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatPercent } from '@/lib/money.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import { Draft } from './Draft.tsx'
import { planOptions, planProposalOptions } from './queries.ts'
import { warningFacts } from './warning.tsx'

type Plans = components['schemas']['PlansAnswer']
type Version = components['schemas']['PlanVersion']
type Proposal = components['schemas']['PlanProposal']

/** The current plan, the scheduled ones, the proposals, and a draft of a new version. */
export function Component() {
  const { plans: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(planOptions)
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && <PlanContent plans={data} />}
    </>
  )
}

function PlanContent({ plans }: { plans: Plans }) {
  const strings = useConsoleStrings()
  const { plans: t } = strings
  const money = useMay()('money')
  const { ask, dialog } = useAct()
  const [seen, setSeen] = useState('')
  return (
    <div className={layout.page}>
      <div className={layout.columns}>
        <VersionCard title={t.current} version={plans.current} />
        {plans.scheduled.map((version) => (
          <VersionCard key={version.version} title={t.scheduled} version={version} />
        ))}
      </div>
      <h2 className={layout.heading}>{t.proposals}</h2>
      <DataTable
        label={t.proposals}
        columns={columns(strings, plans.today, money, ask, setSeen)}
        rows={plans.proposals}
        rowKey={({ version, proposed_at }) => `${version} ${proposed_at}`}
        empty={t.noProposals}
      />
      <Draft current={plans.current.plan} mayPropose={money} />
      <Proposed version={seen} onClose={() => setSeen('')} />
      {dialog}
    </div>
  )
}

function VersionCard({ title, version }: { title: string; version: Version }) {
  const { plans: t } = useConsoleStrings()
  const { bound } = version
  return (
    <Card title={title}>
      <Facts
        facts={[
          [t.version, version.version],
          [t.from, version.from === '' ? t.beginning : formatDay(version.from)],
          [t.network, formatPercent(bound.network_ppm)],
          [t.level, formatPercent(bound.level_ppm)],
          [t.profit, formatPercent(bound.profit_ppm)],
        ]}
      />
    </Card>
  )
}

function columns(
  strings: ConsoleStrings,
  today: string,
  money: boolean,
  ask: (act: Act) => void,
  look: (version: string) => void,
): Column<Proposal>[] {
  const { plans: t } = strings
  const actsOn = ({ state, from }: Proposal): ('approve' | 'cancel')[] => {
    if (!money || state === 'cancelled' || from <= today) return []
    return state === 'proposed' ? ['approve', 'cancel'] : ['cancel']
  }
  return [
    textColumn(t.version, (p) => p.version),
    dateColumn(t.from, (p) => p.from),
    textColumn(t.state, (p) => named(t.states, p.state)),
    textColumn(t.proposedBy, (p) => p.proposed_by),
    dateColumn(t.proposedAt, (p) => p.proposed_at),
    textColumn(t.approvedBy, (p) => p.approved_by),
    textColumn(t.cancelledBy, (p) => p.cancelled_by),
    {
      header: t.actions,
      cell: (row) => (
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="default" onClick={() => look(row.version)}>
            {t.look}
          </Button>
          {actsOn(row).map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              onClick={() => ask(decide(row, name, strings))}
            >
              {t[name].confirm}
            </Button>
          ))}
        </Group>
      ),
    },
  ]
}

/** The changes of a proposed version, for its approval. */
function Proposed({ version, onClose }: { version: string; onClose: () => void }) {
  const { plans: t, actions } = useConsoleStrings()
  return (
    <Modal
      opened={version !== ''}
      onClose={onClose}
      size="xl"
      title={`${t.version}: ${version}`}
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {version !== '' && <ProposedBody version={version} />}
    </Modal>
  )
}

function ProposedBody({ version }: { version: string }) {
  const { plans: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(planProposalOptions(version))
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <div className={layout.page}>
      <Facts
        facts={[
          [t.from, formatDay(data.proposal.from)],
          [t.proposedBy, data.proposal.proposed_by],
          [t.reason, data.proposal.reason],
          [
            t.digest,
            <span key="digest" className={layout.digest}>
              {data.proposal.digest}
            </span>,
          ],
        ]}
      />
      <Changes changes={data.changes} />
    </div>
  )
}

function decide(row: Proposal, name: 'approve' | 'cancel', strings: ConsoleStrings): Act {
  const { plans: t } = strings
  return {
    ...t[name],
    facts: [
      [t.version, row.version],
      [t.from, formatDay(row.from)],
      [t.proposedBy, row.proposed_by],
      [t.reason, row.reason],
      [t.digest, row.digest],
      ...(name === 'approve' ? warningFacts(serverText(row.warning, row), strings) : []),
    ],
    fields: [{ name: 'reason', label: strings.console.act.reason }],
    call: ({ reason = '' }, key) =>
      name === 'approve'
        ? answerOf(
            operatorApi.POST('/api/operator/plan/approve', {
              body: { version: row.version, digest: row.digest, reason },
              ...underKey(key),
            }),
          )
        : answerOf(
            operatorApi.POST('/api/operator/plan/cancel', {
              body: { version: row.version, reason },
              ...underKey(key),
            }),
          ),
  }
}
