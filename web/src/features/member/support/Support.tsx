import { Checkbox, Textarea } from '@mantine/core'
import { Card } from '@/components/Card.tsx'
import { useCheckedForm } from '@/components/form/form.ts'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { type Column, dateColumn, statusColumn, textColumn } from '@/components/table/columns.tsx'
import { type Report, ReportList } from '@/components/table/ReportScreen.tsx'
import { answerOf, listOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { supportRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Support.module.css'
import { TalkButton, TalkDrawer } from './Talk.tsx'

type Ticket = components['schemas']['TicketRow']

const DONE = 'Successfully send query'
const OPEN = 'open'
const DRAFT = { screen: 'Support', fields: ['query', 'complaint'] } as const

/** Keeps line breaks. */
const wordsColumn = (header: string, pick: (row: Ticket) => string): Column<Ticket> => ({
  header,
  wrap: true,
  cell: (row) => (pick(row) === '' ? '–' : <bdi className={styles.words}>{pick(row)}</bdi>),
})

const tickets: Report<Ticket> = {
  name: 'UserHelpDeskHistory',
  file: { report: 'UserHelpDeskHistory' },
  call: ({ uid, page, size }) =>
    listOf(api.POST('/api/UserHelpDeskHistory', { body: { uid, page, size } })),
  rowKey: ({ ticket_id }) => ticket_id,
  empty: (s) => s.support.empty,
  drawer: {
    header: (s) => s.support.open,
    numberOf: ({ ticket_id }) => Number(ticket_id),
    Button: TalkButton,
    Drawer: TalkDrawer,
  },
  columns: ({ support: t }) => [
    textColumn(t.ticket, (row) => row.ticket_id),
    wordsColumn(t.query, (row) => row.query),
    wordsColumn(t.reply, (row) => row.reply_message),
    dateColumn(t.requested, (row) => row.ee),
    statusColumn(
      t.status,
      (row) => row.status,
      (row) => row.status !== OPEN,
    ),
    dateColumn(t.replied, (row) => row.rd),
  ],
}

/** The member's questions to support, and the answers. */
export function Component() {
  const { support: t } = useMemberStrings()
  const { userId } = useSession()
  const form = useCheckedForm({ query: '', complaint: false }, supportRules, DRAFT)
  return (
    <PageStack>
      <PageHeader title={useRouteTitle()} />
      <Card>
        <PlainForm
          form={form}
          call={({ query, complaint }, key) =>
            answerOf(
              api.POST('/api/Helpdesk_By_User', {
                body: { uid: userId, query, ...(complaint && { kind: 'complaint' as const }) },
                ...underKey(key),
              }),
            )
          }
          outcome={({ data }) => {
            const done = data === DONE
            return { done, text: done ? t.done : data, field: 'query' }
          }}
          onDone={() => {
            form.reset()
            return refreshAll()
          }}
        >
          <Textarea
            label={t.yourQuery}
            rows={5}
            maxLength={LIMITS.query}
            {...form.getInputProps('query')}
          />
          <Checkbox
            label={t.complaint}
            description={t.complaintHint}
            {...form.getInputProps('complaint', { type: 'checkbox' })}
          />
        </PlainForm>
      </Card>
      <Card title={t.history}>
        <ReportList report={tickets} label={t.history} />
      </Card>
    </PageStack>
  )
}
