import { Button, Group } from '@mantine/core'
import { useConsoleStrings } from '@/lib/strings/console.ts'

interface OlderProps {
  /** The key before which this page begins; 0 for the newest. */
  before: number
  /** The key of the next page; 0 at the end. */
  next: number
  onTurn: (before: number) => void
}

/** Buttons for the pages of a list with key pagination. */
export function Older({ before, next, onTurn }: OlderProps) {
  const { record: t } = useConsoleStrings()
  if (before === 0 && next === 0) return null
  return (
    <Group mt="xs">
      {before > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onTurn(0)}>
          {t.newest}
        </Button>
      )}
      {next > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onTurn(next)}>
          {t.older}
        </Button>
      )}
    </Group>
  )
}
