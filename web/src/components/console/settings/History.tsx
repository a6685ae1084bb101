import { Button, Group, Modal, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import type { Json } from '@/components/console/draft/tree.ts'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { type Column, dateColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { errorText } from '@/lib/api/answer.ts'
import { operatorQueries } from '@/lib/operator/client.ts'
import {
  type ProposalRow,
  type SectionName,
  settingHistoryOptions,
  settingProposalOptions,
} from '@/lib/operator/queries/settings.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'
import { ProposalFacts } from './PendingProposal.tsx'

interface HistoryProps {
  section: SectionName
  /** Takes an old version into the draft; undefined for operators who may not propose. */
  onRestore: ((body: Json) => void) | undefined
}

/** All versions and rejected proposals. An old version can be proposed again. */
export function History({ section, onRestore }: HistoryProps) {
  const { installation: t } = useConsoleStrings()
  const [seen, setSeen] = useState('')
  const { data, error, refetch } = useQuery(settingHistoryOptions(section))
  const restore = async (id: string) => {
    try {
      onRestore?.((await operatorQueries.fetchQuery(settingProposalOptions(id))).body as Json)
      toast.success(t.restored)
    } catch (thrown) {
      toast.error(errorText(thrown, t.failed))
    }
  }
  const cell = (row: ProposalRow) => (
    <Group gap="xs" wrap="nowrap">
      <Button size="compact-sm" variant="default" onClick={() => setSeen(row.id)}>
        {t.look}
      </Button>
      {onRestore && row.state === 'approved' && (
        <Button size="compact-sm" variant="default" onClick={() => void restore(row.id)}>
          {t.restore}
        </Button>
      )}
    </Group>
  )
  return (
    <Card title={t.history[section]}>
      {error ? (
        <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          label={t.history[section]}
          columns={[...columns(t), { header: t.actions, cell }]}
          rows={data}
          rowKey={({ id }) => id}
          empty={t.noHistory}
        />
      )}
      <OldVersion id={seen} onClose={() => setSeen('')} />
    </Card>
  )
}

type Words = ReturnType<typeof useConsoleStrings>['installation']

const columns = (t: Words): Column<ProposalRow>[] => [
  textColumn(t.version, (p) => p.id),
  textColumn(t.state, (p) => t.states[p.state]),
  textColumn(t.reason, (p) => p.reason),
  textColumn(t.proposedBy, (p) => p.proposedBy),
  dateColumn(t.proposedAt, (p) => p.proposedAt),
  textColumn(t.decidedBy, (p) => p.decidedBy),
  dateColumn(t.holds, (p) => p.holds),
]

function OldVersion({ id, onClose }: { id: string; onClose: () => void }) {
  const { installation: t, actions } = useConsoleStrings()
  return (
    <Modal
      opened={id !== ''}
      onClose={onClose}
      size="xl"
      title={t.versionOf({ id })}
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {id !== '' && <OldVersionBody id={id} />}
    </Modal>
  )
}

function OldVersionBody({ id }: { id: string }) {
  const { installation: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(settingProposalOptions(id))
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={160} />
  return (
    <div className={layout.page}>
      <ProposalFacts proposal={data} />
    </div>
  )
}
