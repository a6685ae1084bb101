import { Textarea } from '@mantine/core'
import { Copy } from '@/components/Copy.tsx'
import { QrCode } from '@/components/QrCode.tsx'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Funds.module.css'

interface PayToProps {
  address: string
  /** Names the address. */
  label: string
  /** Whether the name is to be seen: a heading may say it already. */
  labelled?: boolean
}

/**
 * An address to pay to. All of it is in sight on a phone too: its end is compared with what
 * the paying app shows.
 */
export function PayTo({ address, label, labelled = false }: PayToProps) {
  const { funds: t } = useMemberStrings()
  return (
    <>
      <Textarea
        {...(labelled ? { label } : { 'aria-label': label })}
        value={address}
        rows={2}
        readOnly
        spellCheck={false}
        classNames={{ root: styles.wide ?? '', input: styles.payTo ?? '' }}
      />
      <Copy text={address} copied={t.addressCopied} label={label} />
      <QrCode text={address} label={t.addressCode} />
    </>
  )
}
