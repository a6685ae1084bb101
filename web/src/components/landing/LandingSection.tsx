import { type ReactNode, useId } from 'react'
import styles from './LandingSection.module.css'

interface LandingSectionProps {
  /** The fragment that header links point to. */
  id: string
  heading: string
  lead?: string
  /** A background that separates the section from its neighbours: tinted, or dark green. */
  look?: 'plain' | 'band' | 'deep'
  /** On wide screens the heading is beside the content instead of above it. */
  beside?: boolean
  children: ReactNode
}

export function LandingSection(props: LandingSectionProps) {
  const { id, heading, lead, look = 'plain', beside = false, children } = props
  const headingId = useId()
  return (
    // Receives focus when a link leads here, so that screen readers continue from this point.
    <section id={id} tabIndex={-1} aria-labelledby={headingId} className={styles[look]}>
      <div className={styles.inner} data-beside={beside}>
        <div className={styles.intro}>
          <h2 id={headingId} className={styles.heading}>
            {heading}
          </h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}
