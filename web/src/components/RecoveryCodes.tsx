import { Button, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import { saveFile } from '@/lib/save.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Copy } from './Copy.tsx'
import styles from './RecoveryCodes.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** What the toast says once they are copied. */
  copied: string
  /** What the button says that puts them away. */
  kept: string
  onKept: () => void
}

/** Codes that are told once: to be copied, saved as a file or written down. */
export function RecoveryCodes({ codes, copied, kept, onKept }: RecoveryCodesProps) {
  const { actions } = useStrings()
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap="sm" my="md">
        <Copy text={text} copied={copied} />
        <Button
          variant="default"
          leftSection={<Download size={16} aria-hidden="true" />}
          onClick={() => saveFile('recovery-codes.txt', new Blob([text], { type: 'text/plain' }))}
        >
          {actions.download}
        </Button>
      </Group>
      <Button onClick={onKept}>{kept}</Button>
    </>
  )
}
