import { Button, TextInput } from '@mantine/core'
import { QrCode as QrIcon } from 'lucide-react'
import { useState } from 'react'
import { Card } from '@/components/Card.tsx'
import { Copy } from '@/components/Copy.tsx'
import { usePart } from '@/components/usePart.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Dashboard.module.css'

/** The sign-up link of one leg, to copy or as a QR code. */
export function ReferralLink({ side }: { side: 'Left' | 'Right' }) {
  const { dashboard: t, actions } = useMemberStrings()
  const { userId } = useSession()
  const { part, fetchPart } = usePart(() => import('@/components/QrCode.tsx'))
  const [wantsCode, setWantsCode] = useState(false)
  const showsCode = wantsCode && part !== null
  const title = side === 'Left' ? t.leftLink : t.rightLink
  const query = new URLSearchParams({ userid: userId, Position1: side })
  const link = `${location.origin}/Signup?${query}`
  return (
    <Card title={title}>
      <div className={styles.link}>
        <TextInput aria-label={title} value={link} readOnly />
        <div className={styles.buttons}>
          <Copy text={link} copied={side === 'Left' ? t.copiedLeft : t.copiedRight} label={title} />
          <Button
            variant="default"
            aria-expanded={showsCode}
            leftSection={<QrIcon size={16} aria-hidden="true" />}
            onClick={() => {
              setWantsCode(!showsCode)
              void fetchPart()
            }}
          >
            {showsCode ? actions.hideQr : actions.showQr}
          </Button>
        </div>
        {showsCode && <part.QrCode text={link} label={title} />}
      </div>
    </Card>
  )
}
