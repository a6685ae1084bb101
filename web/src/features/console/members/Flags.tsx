import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { Older } from '@/components/table/Older.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Member.module.css'
import { reasonField } from './memberActs.ts'
import { flagsOptions } from './queries.ts'

type Flag = components['schemas']['FlagRow']

/** The raised flags as badges. */
export function FlagBadges({ marks }: { marks: readonly Flag[] }) {
  const { memberDetails: t } = useConsoleStrings()
  return marks.map(({ id, flag }) => <StatusBadge key={id} word={t.flagNames[flag]} good={false} />)
}

/** The flags that operators raised, each with its author and reason, and their history. */
export function Flags({ uid, marks }: { uid: string; marks: readonly Flag[] }) {
  const strings = useConsoleStrings()
  const { memberDetails: t } = strings
  const { ask, dialog } = useAct()
  const may = useMay()('note')
  const left = RAISABLE.filter((flag) => !marks.some((mark) => mark.flag === flag))
  const raise = may && left.length > 0 && (
    <Button size="compact-sm" variant="default" onClick={() => ask(raiseFlag(uid, left, strings))}>
      {t.raise.confirm}
    </Button>
  )
  return (
    <Card title={t.flags} actions={raise}>
      {marks.length === 0 && <p className={layout.hint}>{t.noFlags}</p>}
      <ul>
        {marks.map((mark) => (
          <li key={mark.id} className={styles.note}>
            <div className={styles.flags}>
              <StatusBadge word={t.flagNames[mark.flag]} good={false} />
              {may && mark.flag !== 'legal hold' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`${t.lower.confirm}: ${t.flagNames[mark.flag]}`}
                  onClick={() => ask(lowerFlag(uid, mark, strings))}
                >
                  {t.lower.confirm}
                </Button>
              )}
            </div>
            {mark.reason}
            <p className={layout.hint}>{`${mark.name} · ${formatMoment(mark.at, zone())}`}</p>
          </li>
        ))}
      </ul>
      <History uid={uid} />
      {dialog}
    </Card>
  )
}

const RAISABLE = ['watch', 'duplicate', 'documents', 'vulnerable'] as const

function History({ uid }: { uid: string }) {
  const { memberDetails: t, table } = useConsoleStrings()
  const [open, setOpen] = useState(false)
  const [before, setBefore] = useState(0)
  const { data, error, refetch } = useQuery({ ...flagsOptions(uid, before), enabled: open })
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t.flagHistory}</summary>
      {error && <ErrorNotice error={error} text={table.failed} onRetry={() => void refetch()} />}
      <ul>
        {data?.data[0]?.map((row) => (
          <li key={row.id} className={styles.note}>
            {row.raised ? t.raised : t.lowered}: {t.flagNames[row.flag]}. {row.reason}
            <p className={layout.hint}>{`${row.name} · ${formatMoment(row.at, zone())}`}</p>
          </li>
        ))}
      </ul>
      <Older before={before} next={data?.next ?? 0} onTurn={setBefore} />
    </details>
  )
}

const send = (uid: string, flag: string, raise: boolean, reason: string, key: string) =>
  answerOf(
    operatorApi.POST('/api/operator/member/flag', {
      body: { uid, flag, raise, reason },
      ...underKey(key),
    }),
  )

const raiseFlag = (
  uid: string,
  left: readonly (typeof RAISABLE)[number][],
  strings: ConsoleStrings,
): Act => ({
  ...strings.memberDetails.raise,
  fields: [
    {
      name: 'flag',
      label: strings.memberDetails.flag,
      kind: 'select',
      options: left.map((value) => ({ value, label: strings.memberDetails.flagNames[value] })),
    },
    reasonField(strings),
  ],
  call: ({ flag = '', reason = '' }, key) => send(uid, flag, true, reason, key),
})

const lowerFlag = (uid: string, { flag }: Flag, strings: ConsoleStrings): Act => ({
  ...strings.memberDetails.lower,
  facts: [[strings.memberDetails.flag, strings.memberDetails.flagNames[flag]]],
  fields: [reasonField(strings)],
  call: ({ reason = '' }, key) => send(uid, flag, false, reason, key),
})
