import { Button, Group } from '@mantine/core'
import { Download } from 'lucide-react'
import { saveFile } from '@/lib/save.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Copy } from './Copy.tsx'
import styles from './RecoveryCodes.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** The toast's text after copying. */
  copied: string
  /** The text of the button that closes the list. */
  kept: string
  onKept: () => void
}

/** Recovery codes, which are shown only once: to copy, save as a file or write down. */
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
