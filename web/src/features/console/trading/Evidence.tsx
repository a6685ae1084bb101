import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import { download } from '@/lib/api/download.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'

/** A button that downloads the evidence of a booking; nothing without one. */
export function Evidence({ hash }: { hash: string }) {
  const { trading: t } = useConsoleStrings()
  if (hash === '') return null
  const save = () =>
    void download('/api/operator/evidence/file', { hash }, operatorApi).catch(() =>
      toast.error(t.fileFailed),
    )
  return (
    <Button
      size="compact-sm"
      variant="default"
      title={`SHA-256 ${hash}`}
      leftSection={<Download size={14} aria-hidden="true" />}
      onClick={save}
    >
      {hash.slice(0, 8)}
    </Button>
  )
}
