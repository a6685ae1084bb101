import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Card } from '@/components/Card.tsx'
import type { Json } from '@/components/console/draft/tree.ts'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { type Column, moneyColumn, numberColumn, textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf, errorText } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { useSubmit } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { named } from '@/lib/strings/named.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Plan.module.css'
import { whatIfOptions } from './queries.ts'

type State = components['schemas']['WhatIfAnswer']
type Result = components['schemas']['WhatIfResult']
type Beside = components['schemas']['Beside']

const start = (plan: Json) =>
  answerOf(operatorApi.POST('/api/operator/plan/whatif/start', { body: { plan } }))

interface WhatIfProps {
  /** A valid draft; null while there is none. */
  plan: Json | null
  mayStart: boolean
}

/** The simulation of the closed days under the draft. Its progress is read only while it runs. */
export function WhatIf({ plan, mayStart }: WhatIfProps) {
  const { plans: t, actions } = useConsoleStrings()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(whatIfOptions)
  const { busy, submit } = useSubmit(start)
  const begin = async (draft: Json) => {
    try {
      const answer = await submit(draft)
      if (answer) queries.setQueryData(whatIfOptions.queryKey, answer.data)
    } catch (thrown) {
      toast.error(errorText(thrown, t.whatIfFailed))
    }
  }
  const running = data?.running === true
  return (
    <Card title={t.whatIf}>
      <div className={layout.page}>
        <p className={layout.muted}>{t.whatIfText}</p>
        {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
        {mayStart && (
          <div className={layout.acts}>
            <Button
              variant="default"
              disabled={plan === null || busy || running}
              onClick={() => plan !== null && void begin(plan)}
            >
              {busy || running ? actions.processing : t.whatIfStart}
            </Button>
          </div>
        )}
        {running && <Progress state={data} />}
        {data?.failed && <p role="alert">{`${t.whatIfFailed} ${data.failed}`}</p>}
        {data?.result && <Outcome version={data.version} result={data.result} />}
      </div>
    </Card>
  )
}

function Progress({ state: { done, total } }: { state: State }) {
  const { plans: t } = useConsoleStrings()
  return (
    <div role="status">
      <progress
        className={styles.progress}
        max={Math.max(total, 1)}
        value={total > 0 ? done : undefined}
        aria-label={t.whatIfProgress}
      />
      <p className={layout.muted}>{total > 0 ? t.whatIfDays({ done, total }) : t.whatIfReading}</p>
    </div>
  )
}

function Outcome({ version, result }: { version: string; result: Result }) {
  const { plans: t, why } = useConsoleStrings()
  const nameOf = (name: string) => named({ ...why.kinds, ...t.whatIfKinds }, name)
  const money = (header: string, name: (name: string) => string): Column<Beside>[] => [
    textColumn(header, (b) => name(b.name)),
    moneyColumn(t.actual, (b) => b.actual),
    moneyColumn(t.under, (b) => b.whatIf),
    moneyColumn(t.difference, (b) => b.difference),
  ]
  const title = t.whatIfOf({
    version,
    first: formatDay(result.first),
    last: formatDay(result.last),
  })
  return (
    <div className={layout.page}>
      <h3>{title}</h3>
      <DataTable
        label={title}
        columns={money(t.figure, nameOf)}
        rows={result.figures}
        rowKey={({ name }) => name}
        empty={t.noDifference}
      />
      <DataTable
        label={t.payout}
        columns={[
          textColumn(t.figure, () => t.payout),
          numberColumn(t.actual, (b: Beside) => b.actual),
          numberColumn(t.under, (b: Beside) => b.whatIf),
          numberColumn(t.difference, (b: Beside) => b.difference),
        ]}
        rows={[result.payout]}
        rowKey={({ name }) => name}
        empty={t.noDifference}
      />
      <Facts facts={[[t.whatIfRefused, result.refused]]} />
      <DataTable
        label={t.whatIfMembers}
        columns={money(t.whatIfMembers, (name) => name)}
        rows={result.members}
        rowKey={({ name }) => name}
        empty={t.noDifference}
      />
    </div>
  )
}
