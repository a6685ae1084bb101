import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { type Act, useAct } from '@/components/console/ActDialog.tsx'
import { Corrections } from '@/components/console/corrections/Corrections.tsx'
import { correct } from '@/components/console/corrections/correctionActs.tsx'
import layout from '@/components/console/layout.module.css'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { Facts } from '@/components/Facts.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { StatusBadge } from '@/components/StatusBadge.tsx'
import { formatDay, formatMoment, zone } from '@/lib/dates.ts'
import { memberOptions } from '@/lib/operator/queries/member.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { type ConsoleStrings, useConsoleStrings } from '@/lib/strings/console.ts'
import { Duplicates } from './Duplicates.tsx'
import { FlagBadges, Flags } from './Flags.tsx'
import { Lists } from './Lists.tsx'
import styles from './Member.module.css'
import { block, mailPassword, type View, visit } from './memberActs.ts'
import { Notes } from './Notes.tsx'
import { Place } from './Place.tsx'
import { Privacy } from './Privacy.tsx'
import { Sessions } from './Sessions.tsx'
import { Wallets } from './Wallets.tsx'

/** The page of one member. */
export function Component() {
  const { members: t } = useConsoleStrings()
  const [params] = useSearchParams()
  const uid = params.get('uid') ?? ''
  const { data, error, refetch } = useQuery({ ...memberOptions(uid), enabled: uid !== '' })
  if (uid === '') return <p>{t.ask}</p>
  if (error) return <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={480} />
  return <MemberPage view={data} />
}

function MemberPage({ view }: { view: View }) {
  const strings = useConsoleStrings()
  const { members: t } = strings
  const { ask, dialog } = useAct()
  const [link, setLink] = useState('')
  const may = useMay()
  const { uid, name, lastName } = view.person
  return (
    <>
      <PageHeader
        title={`${name} ${lastName}`.trim()}
        detail={uid}
        actions={useActs(view, setLink).map((act) => (
          <Button key={act.confirm} variant="default" onClick={() => ask(act)}>
            {act.confirm}
          </Button>
        ))}
      />
      <div className={layout.page}>
        <MemberBadges view={view} />
        {link && (
          <Card title={t.visitReady}>
            <p>
              {t.visitText}{' '}
              {/* Without an opener: the tab gets no copy of the operator's session. */}
              <a href={link} target="_blank" rel="noopener noreferrer">
                {t.visitOpen}
              </a>
            </p>
          </Card>
        )}
        <div className={styles.columns}>
          <Card title={t.person}>
            <Facts facts={personOf(view, strings)} />
          </Card>
          <Place place={view.place} />
        </div>
        <Wallets
          uid={uid}
          wallets={view.wallets}
          {...(may('money') &&
            view.flags.erasedAt === '' && {
              onCorrect: (wrong) => ask(correct(uid, view.wallets, strings, wrong)),
            })}
        />
        <Corrections uid={uid} ask={ask} />
        <Lists key={uid} uid={uid} />
        <div className={styles.columns}>
          <Flags uid={uid} marks={view.marks} />
          <Notes uid={uid} />
        </div>
        <Duplicates uid={uid} />
        <Sessions view={view} />
        {may('compliance') && <Privacy view={view} />}
      </div>
      {dialog}
    </>
  )
}

/** The acts that the operator's role allows. */
function useActs(view: View, onLink: (link: string) => void): Act[] {
  const strings = useConsoleStrings()
  const may = useMay()
  if (view.flags.erasedAt !== '') return []
  return [
    ...(may('compliance') ? [block(view, strings)] : []),
    ...(may('money') ? [correct(view.person.uid, view.wallets, strings)] : []),
    ...(may('visit') ? [visit(view, strings, onLink), mailPassword(view, strings)] : []),
  ]
}

function MemberBadges({ view: { flags, marks } }: { view: View }) {
  const { members: t, memberDetails } = useConsoleStrings()
  return (
    <div className={styles.flags}>
      <StatusBadge word={flags.active ? t.active : t.inactive} good={flags.active} />
      {flags.erasedAt !== '' && <StatusBadge word={memberDetails.erased} good={false} />}
      {flags.blocked && <StatusBadge word={t.blocked} good={false} />}
      {flags.blocked && <span className={layout.muted}>{flags.blockedWhy}</span>}
      {flags.newEmail && <StatusBadge word={t.newEmail} good={false} />}
      {flags.newWallet && <StatusBadge word={t.newWallet} good={false} />}
      <FlagBadges marks={marks} />
    </div>
  )
}

const when = (moment: string) => (moment === '' ? '–' : formatMoment(moment, zone()))

function personOf({ person: p, counts }: View, { members: t, claimQueue }: ConsoleStrings) {
  const all = [
    [t.email, p.email],
    [t.mobile, p.mobile],
    [t.birthday, p.birthday && /^\d{4}-\d{2}-\d{2}$/.test(p.birthday) ? formatDay(p.birthday) : ''],
    [t.address, p.address],
    [t.nominee, p.nominee],
    [t.wallet, p.wallet],
    [t.bank, p.bank],
    [t.joined, when(p.joined)],
    [t.activated, when(p.activated)],
    [t.sales, String(counts.sales)],
    [t.positions, String(counts.positions)],
    [
      t.claims,
      counts.claims === 0 ? (
        '0'
      ) : (
        <span key="claims">
          {counts.claims}{' '}
          <Link to={`/admin/claims?uid=${p.uid}&state=all`}>{claimQueue.ofMember}</Link>
        </span>
      ),
    ],
    [t.tickets, `${counts.openTickets} / ${counts.tickets}`],
  ] as const
  return all.filter(([, value]) => value !== '')
}
