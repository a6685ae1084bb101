import { Alert, Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Copy } from '@/components/Copy.tsx'
import { useAct } from '@/components/console/ActDialog.tsx'
import { Changes } from '@/components/console/draft/Findings.tsx'
import layout from '@/components/console/layout.module.css'
import { callOff } from '@/components/console/settings/acts.ts'
import { Editor } from '@/components/console/settings/Editor.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader } from '@/components/PageHeader.tsx'
import { formatMoment, zone } from '@/lib/dates.ts'
import {
  type Overview,
  type ProposalRow,
  type SectionName,
  sectionOf,
  settingProposalOptions,
  settingsOptions,
} from '@/lib/operator/queries/settings.ts'
import { useMay } from '@/lib/operator/rights.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

const SECTIONS: readonly SectionName[] = ['usdt', 'banks', 'limits']

/** Receiving addresses, bank accounts and limits: each change needs two operators. */
export function Component() {
  const { installation: t } = useConsoleStrings()
  const { data, error, refetch } = useQuery(settingsOptions)
  return (
    <>
      <PageHeader title={useRouteTitle()} />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <div className={layout.page}>
          <NextAddress overview={data} />
          <NextBanks overview={data} />
          {SECTIONS.map((name) => {
            const section = sectionOf(data, name)
            const waiting = section?.waiting?.id ?? ''
            return (
              section && <Editor key={`${name} ${section.version} ${waiting}`} section={section} />
            )
          })}
        </div>
      )}
    </>
  )
}

/** An approved address that is not in force yet: one operator can cancel it. */
function NextAddress({ overview }: { overview: Overview }) {
  const strings = useConsoleStrings()
  const { installation: t } = strings
  const money = useMay()('money')
  const { ask, dialog } = useAct()
  const next = sectionOf(overview, 'usdt')?.next
  if (!next) return null
  return (
    <Alert variant="default" title={t.nextAddress({ when: formatMoment(next.holds, zone()) })}>
      <div className={layout.page}>
        <p className={layout.digest}>{overview.nextAddress}</p>
        <p>{t.nextAddressText({ maker: next.proposedBy, checker: next.decidedBy })}</p>
        <div className={layout.acts}>
          <Copy text={overview.nextAddress} copied={t.addressCopied} label={t.sections.usdt} />
          {money && (
            <Button variant="default" onClick={() => ask(callOff(next, strings))}>
              {t.callOff.confirm}
            </Button>
          )}
        </div>
      </div>
      {dialog}
    </Alert>
  )
}

/** Approved bank accounts that are not in force yet, with their changes. */
function NextBanks({ overview }: { overview: Overview }) {
  const next = sectionOf(overview, 'banks')?.next
  return next ? <NextAccounts next={next} /> : null
}

function NextAccounts({ next }: { next: ProposalRow }) {
  const strings = useConsoleStrings()
  const { installation: t } = strings
  const money = useMay()('money')
  const { ask, dialog } = useAct()
  const { data, error, refetch } = useQuery(settingProposalOptions(next.id))
  return (
    <Alert variant="default" title={t.nextBanks({ when: formatMoment(next.holds, zone()) })}>
      <div className={layout.page}>
        <p>{t.nextAddressText({ maker: next.proposedBy, checker: next.decidedBy })}</p>
        {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={80} />}
        {data && <Changes changes={data.changes} />}
        {money && (
          <div className={layout.acts}>
            <Button variant="default" onClick={() => ask(callOff(next, strings))}>
              {t.callOff.confirm}
            </Button>
          </div>
        )}
      </div>
      {dialog}
    </Alert>
  )
}
