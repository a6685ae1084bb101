import { Button, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import { Card } from '@/components/Card.tsx'
import { errorText } from '@/lib/api/answer.ts'
import { saveAnswer } from '@/lib/api/download.ts'
import { underKey, useSubmit } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { toast } from '@/lib/toast.ts'
import styles from './Payouts.module.css'

const FORMATS = ['csv', 'xlsx'] as const

/** The list for the treasury of the balances on members' deposit addresses. */
export function Sweep() {
  const { payouts: t, table } = useConsoleStrings()
  const may = useMay()('money')
  const { busy, submit } = useSubmit(async ({ format }: { format: string }, key) => {
    const call = operatorApi.POST('/api/operator/deposits/sweep', {
      body: { format },
      parseAs: 'blob',
      ...underKey(key),
    })
    await saveAnswer(call, `deposit-addresses.${format}`)
  })
  if (!may) return null
  const save = (format: string) =>
    submit({ format }).catch((error: unknown) => {
      toast.error(errorText(error, table.exportFailed))
    })
  return (
    <Card title={t.sweep.title}>
      <p className={styles.hint}>{t.sweep.text}</p>
      <Group gap="sm" mt="sm">
        {FORMATS.map((format) => (
          <Button
            key={format}
            variant="default"
            size="compact-sm"
            disabled={busy}
            leftSection={<Download size={14} aria-hidden="true" />}
            aria-label={t.sweep.as({ format: format.toUpperCase() })}
            onClick={() => void save(format)}
          >
            {format.toUpperCase()}
          </Button>
        ))}
      </Group>
    </Card>
  )
}
