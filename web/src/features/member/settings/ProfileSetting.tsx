import { Skeleton, Tabs } from '@mantine/core'
import { UserRound } from 'lucide-react'
import { useLocation } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { useHasDraft } from '@/components/form/draft.ts'
import { PageHeader } from '@/components/PageHeader.tsx'
import { formatDay } from '@/lib/dates.ts'
import type { Information } from '@/lib/queries/userInformation.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { About } from './About.tsx'
import { History } from './History.tsx'
import { fullName, useInformation } from './information.ts'
import { PROFILE_DRAFT, ProfileForm } from './ProfileForm.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './Settings.module.css'
import { Statement } from './Statement.tsx'

const TABS = ['about', 'settings', 'statement', 'sessions', 'history']
const tabOf = (hash: string) => TABS.find((tab) => hash === `#${tab}`)

/** The member's profile and sessions. */
export function Component() {
  const { settings: t } = useMemberStrings()
  const { data, error, refetch } = useInformation()
  const begun = useHasDraft(PROFILE_DRAFT)
  const { hash } = useLocation()
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={420} />}
      {data && (
        <div className={styles.profile}>
          <Person person={data} />
          <Card>
            {/* A link to another tab opens it from this screen too. */}
            <Tabs
              key={hash}
              defaultValue={tabOf(hash) ?? (begun ? 'settings' : 'about')}
              keepMounted
            >
              <Tabs.List className={styles.tabs ?? ''}>
                <Tabs.Tab value="about">{t.about}</Tabs.Tab>
                <Tabs.Tab value="settings">{t.settings}</Tabs.Tab>
                <Tabs.Tab value="statement">{t.statement}</Tabs.Tab>
                <Tabs.Tab value="sessions">{t.sessions}</Tabs.Tab>
                <Tabs.Tab value="history">{t.history}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="about">
                <About person={data} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <ProfileForm saved={data} />
              </Tabs.Panel>
              <Tabs.Panel value="statement">
                <Statement />
              </Tabs.Panel>
              <Tabs.Panel value="sessions">
                <Sessions />
              </Tabs.Panel>
              <Tabs.Panel value="history">
                <History />
              </Tabs.Panel>
            </Tabs>
          </Card>
        </div>
      )}
    </>
  )
}

function Person({ person }: { person: Information }) {
  const { settings: t } = useMemberStrings()
  return (
    <div className={styles.stack}>
      <Card className={styles.person}>
        <span className={styles.face}>
          <UserRound size={40} aria-hidden="true" />
        </span>
        <p className={styles.name} dir="auto">
          {fullName(person)}
        </p>
        <p className={styles.note}>{t.member}</p>
      </Card>
      <Card>
        <Facts
          facts={[
            [t.birthday, person.dob ? formatDay(person.dob) : '–'],
            [t.phone, person.mobile],
            [t.email, person.email],
            [t.userId, person.uid],
          ]}
        />
      </Card>
    </div>
  )
}
