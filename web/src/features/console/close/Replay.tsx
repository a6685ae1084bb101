import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import layout from '@/components/console/layout.module.css'
import { Facts } from '@/components/Facts.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Close.module.css'
import { replayOptions } from './queries.ts'

type State = components['schemas']['ReplayAnswer']
type Result = components['schemas']['ReplayResult']

/** Replays a closed day and shows whether the result is the same. */
export function Replay({ day }: { day: string }) {
  const { closeDay: t, actions } = useConsoleStrings()
  const { data, refetch } = useQuery(replayOptions)
  const { busy, submit } = useSubmit((asked: string, key: string) =>
    answerOf(
      operatorApi.POST('/api/operator/close/replay/start', {
        body: { day: asked },
        ...underKey(key),
      }),
    ),
  )
  const start = async () => {
    try {
      await submit(day)
    } catch (error) {
      toast.error(errorText(error, t.replayFailed))
    }
    await refetch()
  }
  const running = busy || data?.running === true
  return (
    <Card
      title={t.replay}
      actions={
        <Button size="xs" disabled={running} onClick={() => void start()}>
          {running ? actions.processing : t.replay}
        </Button>
      }
    >
      <p className={layout.hint}>{t.replayText}</p>
      {data && <Outcome state={data} day={day} />}
    </Card>
  )
}

function Outcome({ state, day }: { state: State; day: string }) {
  const { closeDay: t } = useConsoleStrings()
  if (state.running) {
    return (
      <div role="status">
        <progress
          className={styles.progress}
          max={state.total || 1}
          value={state.total ? state.done : undefined}
          aria-label={t.progress}
        />
        <p className={layout.hint}>
          {state.day === day
            ? t.replaying({ done: state.done, total: state.total })
            : t.replayOther({ day: formatDay(state.day) })}
        </p>
      </div>
    )
  }
  if (state.day !== day) return null
  if (state.failed) return <p role="alert">{state.failed}</p>
  return state.result ? <Compared result={state.result} /> : null
}

function Compared({ result }: { result: Result }) {
  const { closeDay: t, closes } = useConsoleStrings()
  return (
    <div role="status">
      <p>
        <StatusBadge word={result.equal ? t.equal : t.unequal} good={result.equal} />{' '}
        {result.equal ? t.equalText : t.unequalText}
      </p>
      {result.before !== '' && <p>{t.earlier({ day: formatDay(result.before) })}</p>}
      <Facts
        facts={[
          [t.committed, <Digest key="was" text={result.digest} />],
          [t.again, <Digest key="is" text={result.again} />],
          [closes.rows, result.rows],
          [t.againRows, result.againRows],
        ]}
      />
      {!result.equal && (
        <>
          <h3 className={layout.heading}>{t.differences}</h3>
          <DataTable<Result['differences'][number]>
            label={t.differences}
            columns={[
              textColumn(t.what, (x) => t.whats[x.what]),
              textColumn(t.number, (x) => x.id),
              textColumn(t.field, (x) => x.field),
              textColumn(t.stored, (x) => x.stored),
              textColumn(t.comesOut, (x) => x.again),
            ]}
            rows={result.differences}
            rowKey={({ what, id, field }) => `${what} ${id} ${field}`}
            empty={t.noDifferences}
          />
          {result.more > 0 && <p className={layout.hint}>{t.more({ count: result.more })}</p>}
        </>
      )}
    </div>
  )
}

const Digest = ({ text }: { text: string }) => <span className={layout.digest}>{text}</span>
