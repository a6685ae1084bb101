import { Button } from '@mantine/core'
import type { WrongEntry } from '@/components/console/corrections/correctionActs.tsx'
import type { Column } from '@/components/table/columns.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import { formatMoney, signOf } from '@/lib/money.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

type Entry = components['schemas']['EntryRow']

/** The button that corrects a wrong entry. An income that was claimed is not paid back. */
export const correctColumn = (
  wallet: string,
  { corrections: t }: ConsoleStrings,
  onCorrect: (wrong: WrongEntry) => void,
): Column<Entry> => ({
  header: t.ofEntry,
  cell: ({ amount, transfer }) =>
    signOf(amount) > 0 || (signOf(amount) < 0 && wallet.endsWith('FUNDS')) ? (
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t.ofEntryLabel({ amount: formatMoney(amount) })}
        onClick={() => onCorrect({ wallet, transfer, amount })}
      >
        {t.ofEntry}
      </Button>
    ) : null,
})
