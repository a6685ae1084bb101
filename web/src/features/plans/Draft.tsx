import { Button, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Act, useAct } from '@/components/ActDialog.tsx'
import { Card } from '@/components/Card.tsx'
import { textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { answerOf, wordsOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { formatDay } from '@/lib/dates.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { type Strings, useStrings } from '@/lib/strings/index.ts'
import { say } from '@/lib/toast.ts'
import styles from './Plan.module.css'

type Check = components['schemas']['PlanCheck']

interface Body {
  plan: unknown
  from: string
}

/** The text as a plan's file; nothing if it is no JSON. */
function parse(text: string): { plan: unknown } | null {
  try {
    return { plan: JSON.parse(text) }
  } catch {
    return null
  }
}

/** A new version begins as the one that holds: change it, have it checked, propose it. */
export function Draft({ current, mayPropose }: { current: unknown; mayPropose: boolean }) {
  const strings = useStrings()
  const { plans: t, actions } = strings
  const [text, setText] = useState(() => JSON.stringify(current, null, 2))
  const [from, setFrom] = useState('')
  // What was checked is what may be proposed: any change asks for another check.
  const [checked, setChecked] = useState<{ body: Body; check: Check } | null>(null)
  const { busy, submit } = useSubmit(validate)
  const { ask, dialog } = useAct()

  const look = async () => {
    const parsed = parse(text)
    if (!parsed) return say.error(t.noJson)
    const body = { ...parsed, from }
    try {
      const answer = await submit(body)
      if (answer) setChecked({ body, check: answer.data })
    } catch (error) {
      say.error(wordsOf(error, t.failed))
    }
  }
  return (
    <Card title={t.draft}>
      <div className={styles.editor}>
        <p className={styles.hint}>{t.draftText}</p>
        <Textarea
          label={t.file}
          rows={16}
          spellCheck={false}
          className={styles.text ?? ''}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setChecked(null)
          }}
        />
        <TextInput
          type="date"
          label={t.from}
          value={from}
          onChange={(event) => {
            setFrom(event.currentTarget.value)
            setChecked(null)
          }}
        />
        <div className={styles.acts}>
          <Button variant="default" disabled={busy} onClick={() => void look()}>
            {busy ? actions.processing : t.validate}
          </Button>
          {mayPropose && checked?.check.valid && from !== '' && (
            <Button onClick={() => ask(propose(checked.body, strings))}>{t.propose.confirm}</Button>
          )}
        </div>
        {checked && <Findings check={checked.check} />}
      </div>
      {dialog}
    </Card>
  )
}

const validate = ({ plan, from }: Body, key: string) =>
  answerOf(
    operatorApi.POST('/api/operator/plan/validate', {
      body: { plan, ...(from && { from }) },
      ...underKey(key),
    }),
  )

/** Every mistake at its path, or what the draft would change. */
function Findings({ check }: { check: Check }) {
  const { plans: t } = useStrings()
  return (
    <div role="status" className={styles.editor}>
      {check.valid ? (
        <p>{t.valid}</p>
      ) : (
        <DataTable<Check['mistakes'][number]>
          label={t.mistakes}
          columns={[textColumn(t.path, (m) => m.field), textColumn(t.mistake, (m) => m.message)]}
          rows={check.mistakes}
          rowKey={({ field, message }) => `${field} ${message}`}
          empty={t.valid}
        />
      )}
      <DataTable<Check['changes'][number]>
        label={t.changes}
        columns={[
          textColumn(t.path, (c) => c.path),
          textColumn(t.before, (c) => c.before),
          textColumn(t.after, (c) => c.after),
        ]}
        rows={check.changes}
        rowKey={({ path }) => path}
        empty={t.noChanges}
      />
    </div>
  )
}

const propose = (body: Body, { plans: t }: Strings): Act => ({
  ...t.propose,
  facts: [[t.from, formatDay(body.from)]],
  call: (_, key) =>
    answerOf(operatorApi.POST('/api/operator/plan/propose', { body, ...underKey(key) })),
})
