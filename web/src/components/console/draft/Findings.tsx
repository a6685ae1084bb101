import { textColumn } from '@/components/table/columns.tsx'
import { DataTable } from '@/components/table/DataTable.tsx'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { serverText } from '@/lib/strings/serverText.ts'
import styles from './Findings.module.css'
import { type Mistake, readable } from './tree.ts'

export interface Change {
  path: string
  before: string
  after: string
}

/** A table of mistakes and their paths. */
export function Mistakes({ mistakes }: { mistakes: readonly Mistake[] }) {
  const { draft: t } = useConsoleStrings()
  return (
    <DataTable<Mistake>
      label={t.mistakes}
      columns={[
        textColumn(t.path, (m) => m.field),
        textColumn(t.mistake, (m) => serverText(m.message, m)),
      ]}
      rows={mistakes}
      rowKey={({ field, message }) => `${field} ${message}`}
      empty={t.valid}
    />
  )
}

/** A table of changes: path, before and after. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  const { draft: t } = useConsoleStrings()
  return (
    <DataTable<Change>
      label={t.changes}
      columns={[
        textColumn(t.path, (c) => c.path),
        { header: t.before, cell: (c) => <Words text={readable(c.path, c.before)} /> },
        { header: t.after, cell: (c) => <Words text={readable(c.path, c.after)} /> },
      ]}
      rows={changes}
      rowKey={({ path }) => path}
      empty={t.noChanges}
    />
  )
}

function Words({ text }: { text: string }) {
  return text === '' ? '–' : <bdi className={styles.words}>{text}</bdi>
}
