import { Button, NativeSelect } from '@mantine/core'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { errorText } from '@/lib/api/answer.ts'
import { download, type ExportFormat } from '@/lib/api/download.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Pager.module.css'
import { firstOf, type Place, SIZES } from './state.ts'

const count = new Intl.NumberFormat('en-US')

interface PagerProps extends Place {
  total: number
  /** The place of the visible rows: the old ones stay until the next page has loaded. */
  shown?: Place
  /** `instead` replaces the address: Back must not lead to a page without rows. */
  onPage: (page: number, instead?: boolean) => void
  onSize: (size: number) => void
}

/** The number of rows, and the buttons for the other pages. */
export function Pager({ page, size, total, shown = { page, size }, onPage, onSize }: PagerProps) {
  const { table } = useStrings()
  const last = Math.max(1, Math.ceil(total / size))
  const first = firstOf(shown)
  const isThere = shown.page === page && shown.size === size
  const beyond = isThere && page > last
  // Addresses can be edited, and lists get shorter: a page after the last one shows the last one.
  useEffect(() => {
    if (beyond) onPage(last, true)
  }, [beyond, last, onPage])
  const range = `${count.format(first)}–${count.format(Math.min(shown.page * shown.size, total))}`
  return (
    <div className={styles.pager}>
      <p role="status" className={styles.count}>
        {first > total ? table.noRows : table.rows({ shown: range, total: count.format(total) })}
      </p>
      <NativeSelect
        size="xs"
        aria-label={table.perPage}
        value={String(size)}
        data={SIZES.map(String)}
        onChange={(event) => onSize(Number(event.currentTarget.value))}
      />
      <nav aria-label={table.pages} className={styles.pages}>
        <Button
          variant="default"
          size="xs"
          aria-label={table.previous}
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, last))}
        >
          <ChevronLeft size={16} aria-hidden="true" />
        </Button>
        <span aria-current="page">
          {count.format(shown.page)} / {count.format(Math.max(1, Math.ceil(total / shown.size)))}
        </span>
        <Button
          variant="default"
          size="xs"
          aria-label={table.next}
          disabled={page >= last}
          onClick={() => onPage(page + 1)}
        >
          <ChevronRight size={16} aria-hidden="true" />
        </Button>
      </nav>
    </div>
  )
}

/** The export buttons of a list without a heading. */
export function ExportRow({ children }: { children: ReactNode }) {
  return children && <div className={styles.exports}>{children}</div>
}

interface ExportProps {
  /** The call that writes the file. */
  path: string
  query: Record<string, string>
  /** The client whose session is used; the member's by default. */
  client?: { GET: unknown }
  /** The content of the file, where a screen has several. */
  of?: string
  formats?: readonly ExportFormat[]
  /** Checks the query before the export; shows the error itself. */
  passes?: () => boolean
}

const LIST_FORMATS = ['csv', 'xlsx'] as const

/** Exports the whole list as a file, with the current filters. */
export function ExportButtons({ path, query, client, of, ...props }: ExportProps) {
  const { formats = LIST_FORMATS, passes = () => true } = props
  const { table } = useStrings()
  const [busy, setBusy] = useState<ExportFormat | null>(null)
  const save = (format: ExportFormat) => {
    if (!passes()) return
    setBusy(format)
    download(path, { ...query, format }, client)
      .catch((error: unknown) => toast.error(errorText(error, table.exportFailed)))
      .finally(() => setBusy(null))
  }
  const labels = { csv: table.exportCsv, xlsx: table.exportXlsx, pdf: table.exportPdf } as const
  return formats.map((format) => (
    <Button
      key={format}
      variant="default"
      size="xs"
      aria-label={[of, table.exportAs({ format: labels[format] })].filter(Boolean).join(': ')}
      disabled={busy !== null}
      loading={busy === format}
      leftSection={<Download size={14} aria-hidden="true" />}
      onClick={() => save(format)}
    >
      {labels[format]}
    </Button>
  ))
}
