import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { buttonClass } from '@/components/button.ts'
import { ErrorNotice } from '@/components/ErrorNotice.tsx'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { api } from '@/lib/api/client.ts'
import { formatDay, formatMoment } from '@/lib/dates.ts'
import { transparencyOptions } from '@/lib/queries/transparency.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { Answers } from './Answers.tsx'
import { Balances } from './Balances.tsx'
import { Earnings } from './Earnings.tsx'
import type { Report } from './figures.ts'
import { Results } from './Results.tsx'
import styles from './Transparency.module.css'

/** The public figures, all as of the last close. */
export function Component() {
  const { transparency: t, brand } = useStrings()
  const { data, error, refetch } = useQuery(transparencyOptions(api))
  return (
    <div className={styles.page}>
      <header className={styles.intro}>
        <h1 className={styles.heading}>{t.heading}</h1>
        <p className={styles.lead}>{t.lead({ brand: brand.name })}</p>
      </header>
      {data && data.day !== '' && <Answers report={data} />}
      <ul className={styles.rules}>
        {brand.about.rules.map(({ title, text }) => (
          <li key={title}>
            <h2 className={styles.rule}>{title}</h2>
            <p className={styles.muted}>{text}</p>
          </li>
        ))}
      </ul>
      <RiskNotice />
      {error && <ErrorNotice error={error} text={t.failed} onRetry={() => void refetch()} />}
      {!error && !data && <Waiting />}
      {data && (data.day === '' ? <BeforeFirstClose /> : <Figures report={data} />)}
    </div>
  )
}

function Figures({ report }: { report: Report }) {
  const { transparency: t, brand } = useStrings()
  return (
    <>
      <p className={styles.asOf}>
        <strong>{t.asOf({ day: formatDay(report.day) })}</strong>{' '}
        {t.closed({
          moment: formatMoment(wholeSeconds(report.closed_at), 'UTC'),
          plan: report.plan,
        })}{' '}
        <span className={styles.digest}>
          {t.digest} <code>{report.digest}</code>
        </span>
      </p>
      <Results report={report} />
      <Earnings report={report} />
      <Balances report={report} />
      <p>
        <a
          href="/api/transparency"
          download={`${brand.name}-${report.day}.json`}
          className={buttonClass('quiet')}
        >
          {t.download}
        </a>
      </p>
    </>
  )
}

/** The server's moments may have fractions of a second with any number of digits. */
const wholeSeconds = (moment: string) => moment.replace(/\.\d+Z$/, 'Z')

function BeforeFirstClose() {
  const { transparency: t } = useStrings()
  return (
    <section className={styles.empty}>
      <h2 className={styles.title}>{t.emptyHeading}</h2>
      <p className={styles.muted}>{t.emptyText}</p>
    </section>
  )
}

function Waiting() {
  const { shell } = useStrings()
  return (
    <div role="status" aria-label={shell.loading} className={styles.waiting}>
      <Skeleton height={140} />
      <Skeleton height={240} />
      <Skeleton height={240} />
    </div>
  )
}
