import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { download } from '@/lib/api/download.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'

interface ExportCsvProps {
  path: string
  query: Record<string, string>
}

/** Exports a list that the server writes as CSV only, with the current filters. */
export function ExportCsv({ path, query }: ExportCsvProps) {
  const { table } = useConsoleStrings()
  const save = () => download(path, query, operatorApi).catch(() => toast.error(table.exportFailed))
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={table.exportAs({ format: table.exportCsv })}
      leftSection={<Download size={14} aria-hidden="true" />}
      onClick={() => void save()}
    >
      {table.exportCsv}
    </Button>
  )
}
