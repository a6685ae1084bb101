import { TextInput } from '@mantine/core'
import { Copy } from '@/components/Copy.tsx'
import { Facts } from '@/components/Facts.tsx'
import type { Information } from '@/lib/queries/userInformation.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { fullName } from './information.ts'
import styles from './Settings.module.css'

/** The member's public data, and the referral link. */
export function About({ person }: { person: Information }) {
  const { settings: t } = useMemberStrings()
  const link = `${location.origin}/Signup?${new URLSearchParams({ userid: person.uid })}`
  return (
    <div className={styles.stack}>
      <Facts
        facts={[
          [t.fullName, fullName(person)],
          [t.mobile, person.mobile],
          [t.email, person.email],
        ]}
      />
      <div className={styles.link}>
        <TextInput label={t.referralLink} value={link} readOnly />
        <Copy text={link} copied={t.copied} label={t.referralLink} />
      </div>
    </div>
  )
}
