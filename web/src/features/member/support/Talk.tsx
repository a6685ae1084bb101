import { Button, Drawer, Loader, Textarea } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { useCheckedForm } from '@/components/form/form.ts'
import { PlainForm } from '@/components/form/PlainForm.tsx'
import { answerOf, dataOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'
import { formatMoment, zone } from '@/lib/dates.ts'
import { refreshAll } from '@/lib/queries/dashboard.ts'
import { supportRules } from '@/lib/rules/forms.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Support.module.css'

const DONE = 'Successfully send query'
const CLOSED = 'closed'

const talkOptions = (uid: string, id: string) =>
  queryOptions({
    queryKey: ['ticket', uid, id],
    queryFn: () => dataOf(api.GET('/api/ticket', { params: { query: { uid, id } } })),
  })

/** The button that opens the conversation of one ticket. */
export function TalkButton({ row, onClick }: { row: number; onClick: () => void }) {
  const { support: t } = useMemberStrings()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      aria-haspopup="dialog"
      aria-label={t.openOf({ id: String(row) })}
      onClick={onClick}
    >
      <MessageSquare size={16} aria-hidden="true" />
    </Button>
  )
}

/** The conversation of one ticket, and the field for the next message. */
export function TalkDrawer({ row, onClose }: { row: number | null; onClose: () => void }) {
  const { support: t, actions } = useMemberStrings()
  const id = String(row ?? '')
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      title={t.openOf({ id })}
      position="right"
      closeButtonProps={{ 'aria-label': actions.close }}
    >
      {row !== null && <Talk id={id} />}
    </Drawer>
  )
}

function Talk({ id }: { id: string }) {
  const { support: t, table } = useMemberStrings()
  const { userId } = useSession()
  const { data, error, refetch } = useQuery(talkOptions(userId, id))
  if (error) return <ErrorNotice error={error} text={t.talkFailed} onRetry={() => void refetch()} />
  if (!data) return <Loader aria-label={table.loading} />
  const events = { close: t.closed, reopen: t.reopened } as const
  return (
    <>
      <ol className={styles.talk}>
        {data.messages.map(({ kind, text, at }) => (
          <li key={`${at} ${kind}`} data-own={kind === 'message'}>
            <p className={styles.from}>
              {kind === 'message' ? t.you : t.us} ·{' '}
              <time dateTime={at}>{formatMoment(at, zone())}</time>
            </p>
            <bdi className={styles.words}>
              {kind === 'close' || kind === 'reopen' ? events[kind] : text}
            </bdi>
          </li>
        ))}
      </ol>
      {data.status !== CLOSED && <Reply id={id} />}
    </>
  )
}

function Reply({ id }: { id: string }) {
  const { support: t } = useMemberStrings()
  const { userId } = useSession()
  const form = useCheckedForm({ query: '' }, supportRules)
  return (
    <PlainForm
      form={form}
      submit={t.send}
      call={({ query }, key) =>
        answerOf(
          api.POST('/api/TicketMessage', {
            body: { uid: userId, ticket_id: id, query },
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
        label={t.answer}
        rows={4}
        maxLength={LIMITS.query}
        {...form.getInputProps('query')}
      />
    </PlainForm>
  )
}
