import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import { useAct } from '@/components/console/ActDialog.tsx'
import { Changes } from '@/components/console/draft/Findings.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { formatMoment, zone } from '@/lib/dates.ts'
import {
  type Proposal,
  type SectionName,
  settingProposalOptions,
} from '@/lib/operator/queries/settings.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { decide, rightFor } from './acts.ts'
import styles from './Settings.module.css'

/** A change that waits for a second operator. */
export function PendingProposal({ id, section }: { id: string; section: SectionName }) {
  const strings = useConsoleStrings()
  const { installation: t } = strings
  const may = useMay()(rightFor(section))
  const { ask, dialog } = useAct()
  const { data, error, refetch } = useQuery(settingProposalOptions(id))
  const acts = data && may ? (data.proposal.mayApprove ? [true, false] : [false]) : []
  return (
    <Card title={t.waits[section]}>
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={160} />}
      {data && (
        <div className={layout.page}>
          <ProposalFacts proposal={data} />
          <div className={layout.acts}>
            {acts.map((approve) => {
              const act = decide(data, approve, strings)
              return (
                <Button
                  key={act.confirm}
                  {...(!approve && { variant: 'default' })}
                  onClick={() => ask(act)}
                >
                  {act.confirm}
                </Button>
              )
            })}
          </div>
        </div>
      )}
      {dialog}
    </Card>
  )
}

/**
 * A proposal: its author and reason, its changes, and the payload of which the digest is computed.
 */
export function ProposalFacts({ proposal: p }: { proposal: Proposal }) {
  const { installation: t } = useConsoleStrings()
  const row = p.proposal
  return (
    <>
      <Facts
        facts={[
          [t.proposedBy, row.proposedBy],
          [t.proposedAt, formatMoment(row.proposedAt, zone())],
          [t.reason, row.reason],
          [
            t.digest,
            <span key="digest" className={layout.digest}>
              {p.digest}
            </span>,
          ],
        ]}
      />
      <Changes changes={p.changes} />
      <details>
        <summary>{t.payload}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
        <pre className={styles.payload} tabIndex={0}>
          {p.payload}
        </pre>
      </details>
    </>
  )
}
