import { Textarea } from '@mantine/core'
import { Copy } from '@/components/Copy.tsx'
import { QrCode } from '@/components/QrCode.tsx'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Funds.module.css'

interface PayToProps {
  address: string
  /** The label of the address. */
  label: string
  /** Whether the label is visible: a heading may show it already. */
  labelled?: boolean
}

/**
 * An address to pay to. It is shown in full on a phone too, to compare its end with the paying app.
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
      <p className={styles.groups} aria-hidden="true">
        {address.match(/^0x|.{1,4}/g)?.map((four, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat and never move
          <span key={at}>{four}</span>
        ))}
      </p>
      <Copy text={address} copied={t.addressCopied} label={label} />
      <QrCode text={address} label={t.addressCode} />
    </>
  )
}
