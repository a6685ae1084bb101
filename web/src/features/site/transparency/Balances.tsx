import { Amount } from '@/components/Amount.tsx'
import { formatPercent } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { FigureSection, FigureTable } from './Figures.tsx'
import { nameIn, type Part, type Report } from './figures.ts'
import styles from './Transparency.module.css'

/** Liabilities, assets, and the coverage of each. */
export function Balances({ report }: { report: Report }) {
  const { transparency: t } = useStrings()
  return (
    <>
      <FigureSection title={t.coverage}>
        <FigureTable
          caption={t.coverageText}
          columns={[t.class, t.owed, t.cash, t.ratio]}
          empty={t.nothing}
          rows={report.coverage.map((cover) => ({
            key: cover.class,
            cells: [
              t.covers[cover.class],
              cover.class === 'held' ? '–' : <Amount key="owed" value={cover.owed} />,
              <Amount key="cash" value={cover.cash} />,
              cover.class === 'held'
                ? `+${formatPercent(cover.ratio_ppm)}`
                : formatPercent(cover.ratio_ppm),
            ],
          }))}
        />
      </FigureSection>
      <FigureSection title={t.parts}>
        <details className={styles.group}>
          <summary>{t.details}</summary>
          <div className={styles.columns}>
            <Parts caption={t.liabilities} parts={report.liabilities} />
            <Parts caption={t.cashParts} parts={report.cash} />
            <Parts caption={t.pools} parts={report.pools} />
            <Parts caption={t.reserves} parts={report.reserves} />
          </div>
        </details>
        <p>
          {t.company} <Amount value={report.company} />
        </p>
      </FigureSection>
    </>
  )
}

function Parts({ caption, parts }: { caption: string; parts: Part[] }) {
  const { transparency: t } = useStrings()
  const nameOf = (part: Part) => {
    const name =
      part.class === 'POOL' ? nameIn(t.poolNames, part.of) : nameIn(t.classes, part.class)
    return part.class === 'POOL' || part.of === '' ? name : `${name}, ${nameIn(t.ofs, part.of)}`
  }
  return (
    <FigureTable
      caption={caption}
      columns={[t.class, t.amount]}
      empty={t.nothing}
      rows={parts.map((part) => ({
        key: `${part.class} ${part.of}`,
        cells: [nameOf(part), <Amount key="amount" value={part.amount} />],
      }))}
    />
  )
}
