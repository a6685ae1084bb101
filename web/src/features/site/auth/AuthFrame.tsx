import type { FormEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { Leaves } from '@/components/Leaves.tsx'
import { useFigures } from '@/components/landing/figures.ts'
import { formatDay } from '@/lib/dates.ts'
import { formatPercent } from '@/lib/money.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './AuthFrame.module.css'

interface AuthFrameProps {
  heading: string
  /** The content beside the form. */
  aside: { heading: string; text: string }
  onSubmit: (event: FormEvent) => void
  children: ReactNode
}

/** The frame of the sign-in and sign-up forms. */
export function AuthFrame({ heading, aside, onSubmit, children }: AuthFrameProps) {
  return (
    <div className={styles.page}>
      <form className={styles.form} onSubmit={onSubmit} noValidate>
        <h1 className={styles.heading}>{heading}</h1>
        {children}
      </form>
      <aside className={styles.hello}>
        <Leaves size={360} className={styles.leaves} />
        <h2 className={styles.helloHeading}>{aside.heading}</h2>
        <p>{aside.text}</p>
        <Proofs />
      </aside>
    </div>
  )
}

/** Three figures of the last close. The list has its size before they arrive. */
function Proofs() {
  const { proofs: t } = useStrings()
  const report = useFigures()
  const all = report?.coverage.find((cover) => cover.class === 'all')
  const closed = report && report.day !== '' && all
  const losing = report?.lines.reduce((sum, line) => sum + line.losing_days, 0) ?? 0
  if (report === null || (report && !closed)) return null
  const proofs = [
    [closed ? formatPercent(all.ratio_ppm) : '–', t.covered],
    [closed ? String(losing) : '–', t.losing],
    [closed ? formatDay(report.day) : '–', t.closed],
  ] as const
  return (
    <>
      <dl className={styles.proofs}>
        {proofs.map(([value, name]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <Link to="/Bifolia">{t.link}</Link>
      </p>
    </>
  )
}
