import { Button } from '@mantine/core'
import { Copy as CopyIcon } from 'lucide-react'
import { useStrings } from '@/lib/strings/index.ts'
import { toast } from '@/lib/toast.ts'

/** Browsers have a clipboard on https and localhost only; elsewhere a selected field is copied. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

interface CopyProps {
  text: string
  /** The toast's text after copying. */
  copied: string
  /** The accessible name, if the button's text is not enough. */
  label?: string
}

export function Copy({ text, copied, label }: CopyProps) {
  const { actions } = useStrings()
  return (
    <Button
      variant="default"
      aria-label={label ? `${actions.copy}: ${label}` : undefined}
      leftSection={<CopyIcon size={16} aria-hidden="true" />}
      onClick={() => toClipboard(text).then(() => toast.success(copied))}
    >
      {actions.copy}
    </Button>
  )
}
