import { Link } from 'react-router'
import { formatDay } from '@/lib/dates.ts'
import { formatMoney, formatPercent } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { useFigures } from './figures.ts'
import styles from './Now.module.css'

/** Owed and covered, as of the last close. The card has its size before they arrive. */
export function Now() {
  const { now: t } = useStrings().landing
  const report = useFigures()
  const all = report?.coverage.find((cover) => cover.class === 'all')
  const closed = report && report.day !== '' && all
  return (
    <section className={styles.card} aria-label={t.heading}>
      {report && !closed ? (
        <p className={styles.none}>{t.none}</p>
      ) : (
        <dl className={styles.figures}>
          <div>
            <dt>{t.owed}</dt>
            <dd>{closed ? formatMoney(all.owed) : '–'}</dd>
          </div>
          <div>
            <dt>{t.covered}</dt>
            <dd>{closed ? formatPercent(all.ratio_ppm) : '–'}</dd>
          </div>
        </dl>
      )}
      <p className={styles.foot}>
        <span>{closed ? t.asOf({ day: formatDay(report.day) }) : t.heading}</span>
        <Link to="/Bifolia">{t.link}</Link>
      </p>
    </section>
  )
}
