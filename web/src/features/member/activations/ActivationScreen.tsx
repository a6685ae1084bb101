import { Anchor, Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { Card } from '@/components/Card.tsx'
import { Columns } from '@/components/Columns.tsx'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { PageHeader, PageStack } from '@/components/PageHeader.tsx'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { useMoneyRules } from '@/lib/queries/moneyRules.ts'
import { useRouteTitle } from '@/lib/route.ts'
import { type MemberStrings, useMemberStrings } from '@/lib/strings/member.ts'
import styles from './Activation.module.css'
import { ActivationForm } from './ActivationForm.tsx'
import { Investments } from './Investments.tsx'
import { type Line, usePackages } from './lines.ts'
import { Refunds } from './Refunds.tsx'

/** `nobody` is the error for an id that nobody has. */
export function activationScreen(
  line: Line,
  nobody: (texts: MemberStrings['activations']) => string,
) {
  return function ActivationScreen() {
    const { activations: t } = useMemberStrings()
    const { data: packages, error, refetch } = usePackages(line)
    return (
      <PageStack>
        <PageHeader title={useRouteTitle()} />
        {error && (
          <ErrorNotice error={error} text={t.packagesFailed} onRetry={() => void refetch()} />
        )}
        {!packages && !error && <Skeleton height={420} />}
        {packages?.length === 0 && (
          <>
            <NotOffered line={line} />
            {line.name && <Investments name={line.name} />}
          </>
        )}
        {packages && packages.length > 0 && (
          <Columns side={<About line={line} />}>
            <Card title={t.formTitle}>
              <ActivationForm line={line} packages={packages} nobody={nobody(t)} />
            </Card>
            {line.name && <Investments name={line.name} />}
          </Columns>
        )}
      </PageStack>
    )
  }
}

function NotOffered({ line }: { line: Line }) {
  const { activations: t } = useMemberStrings()
  return (
    <Card title={t.notOffered({ line: line.name ? t[line.name] : '' })}>
      <p>{t.notOfferedText}</p>
    </Card>
  )
}

/** Risks and rules of the line; for Robot also the purchases that can be refunded. */
function About({ line }: { line: Line }) {
  const { activations: t } = useMemberStrings()
  const { data: rules } = useMoneyRules()
  return (
    <>
      {line.name ? (
        <RiskNotice />
      ) : (
        <RiskNotice words={{ title: t.robotRisk, text: t.robotRiskText }} />
      )}
      <Card title={t.aboutTitle}>
        <div className={styles.about}>
          <p>{line.name ? t.lineAbout : t.robotAbout}</p>
          {line.name && <p>{t.locked}</p>}
          {!line.name && rules && <p>{t.cooling({ days: rules.coolingOffDays })}</p>}
          {!line.name && (
            <p>
              {t.lessonsAbout}{' '}
              <Anchor component={Link} to="/Lessons">
                {t.toLessons}
              </Anchor>
            </p>
          )}
          <Anchor component={Link} to="/FundRequestECurrency">
            {t.toFunds}
          </Anchor>
        </div>
      </Card>
      {!line.name && <Refunds />}
    </>
  )
}
