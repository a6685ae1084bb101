import { Amount } from '@/components/Amount.tsx'
import { formatPercent } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import type { Report } from './figures.ts'
import styles from './Transparency.module.css'

const ONE_TO_ONE = 1_000_000

/** The three figures that people come for, and how far each class is covered. */
export function Answers({ report }: { report: Report }) {
  const { transparency: t } = useStrings()
  const all = report.coverage.find((cover) => cover.class === 'all')
  const classes = report.coverage.filter((cover) => cover.class !== 'all')
  if (!all) return null
  return (
    <section className={styles.answers} aria-label={t.answers.heading}>
      <dl className={styles.big}>
        <div>
          <dt>{t.answers.owed}</dt>
          <dd>
            <Amount value={all.owed} />
          </dd>
        </div>
        <div>
          <dt>{t.answers.covered}</dt>
          <dd>{formatPercent(all.ratio_ppm)}</dd>
        </div>
        <div>
          <dt>{t.answers.nothing}</dt>
          <dd>{formatPercent(report.income_disclosure.share_with_no_income_ppm)}</dd>
        </div>
      </dl>
      <ul className={styles.bars}>
        {classes.map(({ class: name, ratio_ppm }) => (
          <li key={name}>
            <span>{t.covers[name]}</span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect width="100" height="4" className={styles.track} />
              <rect
                width={Math.min(100, (ratio_ppm * 100) / ONE_TO_ONE)}
                height="4"
                className={styles.fill}
              />
            </svg>
            {/* As in the table of coverage, whose last row is the sum of these. */}
            <strong>
              {name === 'held' && '+'}
              {formatPercent(ratio_ppm)}
            </strong>
          </li>
        ))}
      </ul>
    </section>
  )
}
