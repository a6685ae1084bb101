import type { ReactNode } from 'react'
import { Leaves } from './Leaves.tsx'
import styles from './StatusPage.module.css'

interface StatusPageProps {
  heading: string
  text: string
  /** A small line above the heading, such as the title of the missing page. */
  eyebrow?: string | undefined
  /** Further lines below the text. */
  children?: ReactNode
  /** Never empty: such a page always offers a way on. */
  actions: ReactNode
}

/** A page for an address that is not found, has failed, or is not open yet. */
export function StatusPage({ heading, text, eyebrow, children, actions }: StatusPageProps) {
  return (
    <section className={styles.page}>
      <Leaves size={56} className={styles.mark} />
      {eyebrow && <p className={styles.eyebrow}>{eyebrow}</p>}
      <h1 className={styles.heading}>{heading}</h1>
      <p className={styles.text}>{text}</p>
      {children}
      <div className={styles.actions}>{actions}</div>
    </section>
  )
}
