import type { FormEvent, ReactNode } from 'react'
import { Leaves } from '@/components/Leaves.tsx'
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
        <Leaves size={72} />
        <h2 className={styles.helloHeading}>{aside.heading}</h2>
        <p>{aside.text}</p>
      </aside>
    </div>
  )
}
