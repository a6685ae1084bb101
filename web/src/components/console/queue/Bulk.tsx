import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { confirmOnEnter } from '@/components/console/ActDialog.tsx'
import { type Template, Templates } from '@/components/console/Templates.tsx'
import { SendingModal } from '@/components/SendingModal.tsx'
import type { Column } from '@/components/table/columns.tsx'
import { errorText } from '@/lib/api/answer.ts'
import { newKey } from '@/lib/api/client.ts'
import { formatMoney, plus } from '@/lib/money.ts'
import { refreshConsole } from '@/lib/operator/queries/me.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Queue.module.css'

interface Thing {
  id: string
  uid: string
}

/** An act on several rows, each with its own call. */
export interface BulkAct<Row extends Thing> {
  title: string
  text: string
  confirm: string
  /** The label of the text; by default that of a message to the member. */
  label?: string
  /** The act takes no text. */
  wordless?: boolean
  /** The text is optional. */
  optional: boolean
  /** Frequent reasons. */
  templates?: readonly Template[]
  /** Why this row is left out; empty if it is not. */
  except: (row: Row) => string
  /** The row in one line. */
  line: (row: Row) => string
  /** The amount that the act is about; the dialog shows the sum. */
  amount: (row: Row) => string
  call: (row: Row, remark: string, key: string) => Promise<unknown>
}

/** The selected rows of the page, and the column of checkboxes. */
export function useChosen<Row extends Thing>(
  rows: readonly Row[],
  { requests: t }: ConsoleStrings,
) {
  const [ids, setIds] = useState<readonly string[]>([])
  const chosen = rows.filter(({ id }) => ids.includes(id))
  const toggle = (id: string) =>
    setIds(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id])
  const column: Column<Row> = {
    header: t.choose,
    cell: ({ id }) => (
      <Checkbox
        size="xs"
        aria-label={t.chooseOne({ id })}
        checked={ids.includes(id)}
        onChange={() => toggle(id)}
        onClick={(event) => event.stopPropagation()}
      />
    ),
  }
  return {
    chosen,
    column,
    all: () => setIds(chosen.length === rows.length ? [] : rows.map(({ id }) => id)),
    none: () => setIds([]),
  }
}

interface BulkBarProps<Row extends Thing> {
  rows: readonly Row[]
  chosen: readonly Row[]
  acts: readonly BulkAct<Row>[]
  onAll: () => void
  onAsking: (asking: boolean) => void
  onDone: () => void
}

/** The acts on the selected rows. */
export function BulkBar<Row extends Thing>(props: BulkBarProps<Row>) {
  const { requests: t } = useConsoleStrings()
  const { rows, chosen, acts, onAll, onAsking, onDone } = props
  const [busy, setBusy] = useState(false)
  const [act, setAct] = useState<BulkAct<Row> | null>(null)
  const ask = (next: BulkAct<Row> | null) => {
    setAct(next)
    onAsking(next !== null)
  }
  return (
    <Group mb="sm">
      <Button size="compact-sm" variant="default" onClick={onAll}>
        {chosen.length === rows.length ? t.chooseNone : t.chooseAll}
      </Button>
      {acts.map((one) => (
        <Button
          key={one.confirm}
          size="compact-sm"
          variant="default"
          disabled={chosen.length === 0}
          onClick={() => ask(one)}
        >
          {t.together({ act: one.confirm, count: chosen.length })}
        </Button>
      ))}
      <SendingModal held={busy} opened={act !== null} onClose={() => ask(null)} title={act?.title}>
        {act && (
          <BulkForm
            act={act}
            rows={chosen}
            onClose={() => ask(null)}
            onBusy={setBusy}
            onDone={onDone}
          />
        )}
      </SendingModal>
    </Group>
  )
}

interface BulkFormProps<Row extends Thing> {
  act: BulkAct<Row>
  rows: readonly Row[]
  onClose: () => void
  onBusy: (busy: boolean) => void
  onDone: () => void
}

/** One reason for all rows; each row has its own call, idempotency key and result. */
function BulkForm<Row extends Thing>({ act, rows, ...props }: BulkFormProps<Row>) {
  const { onClose, onBusy, onDone } = props
  const { requests: t, actions, console, moneyForm } = useConsoleStrings()
  // The rows that were selected when the dialog opened: every result changes the list behind it.
  const [items] = useState(rows)
  const [remark, setRemark] = useState('')
  const [missing, setMissing] = useState(false)
  const [results, setResults] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  useEffect(() => onBusy(busy), [busy, onBusy])
  const keys = useRef(new Map(items.map(({ id }) => [id, newKey()])))
  const todo = items.filter((row) => act.except(row) === '' && results[row.id] !== t.doneOne)

  const written = busy || Object.keys(results).length > 0

  const run = async (event: FormEvent) => {
    event.preventDefault()
    const lacks = !act.optional && !act.wordless && remark.trim() === ''
    setMissing(lacks)
    if (busy || lacks) return
    setBusy(true)
    for (const row of todo) {
      const result = await act.call(row, remark, keys.current.get(row.id) ?? newKey()).then(
        () => t.doneOne,
        (error: unknown) => errorText(error, moneyForm.failed),
      )
      setResults((before) => ({ ...before, [row.id]: result }))
    }
    setBusy(false)
    await refreshConsole()
  }
  const close = () => {
    if (Object.keys(results).length > 0) onDone()
    onClose()
  }
  return (
    <form
      onSubmit={(event) => void run(event)}
      onKeyDown={confirmOnEnter}
      noValidate
      className={styles.bulk}
    >
      <p>{act.text}</p>
      <p className={styles.sum}>
        {t.sumOf({ count: todo.length, sum: formatMoney(plus('0', ...todo.map(act.amount))) })}
      </p>
      <ul className={styles.results} aria-label={t.results} aria-live="polite">
        {items.map((row) => (
          <li key={row.id}>
            {act.line(row)}
            <span className={styles.note}>{results[row.id] ?? act.except(row)}</span>
          </li>
        ))}
      </ul>
      {act.templates && (
        <Templates
          templates={act.templates}
          value={remark}
          between=" "
          disabled={written}
          onChange={setRemark}
        />
      )}
      {!act.wordless && (
        <Textarea
          label={act.label ?? t.remarkTold}
          rows={2}
          maxLength={200}
          value={remark}
          required={!act.optional}
          error={missing && console.act.required}
          disabled={written}
          data-autofocus
          onChange={(event) => setRemark(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} disabled={busy}>
          {actions.close}
        </Button>
        <Button
          type="submit"
          disabled={busy || todo.length === 0}
          data-autofocus={act.wordless || undefined}
        >
          {busy ? actions.processing : t.together({ act: act.confirm, count: todo.length })}
        </Button>
      </Group>
    </form>
  )
}
