import { createContext, type ReactNode, useContext, useId } from 'react'
import { Link } from 'react-router'
import styles from './Card.module.css'

interface CardProps {
  title?: string
  /** The title leads there, from anywhere on the card. */
  to?: string
  /** At the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
  className?: string | undefined
}

/** The label of the region, if an inner element already has the title as its name. */
export const CardTitle = createContext<string | undefined>(undefined)

/** The topic of all cards within, where a screen has others with the same titles. */
export const CardsOf = createContext('')

/** A card. With a title it is a region of that name. */
export function Card({ title, to, actions, children, className = '' }: CardProps) {
  const titleId = useId()
  const of = useContext(CardsOf)
  const name =
    title && of ? { 'aria-label': `${title}, ${of}` } : { 'aria-labelledby': title && titleId }
  return (
    <section className={`${styles.card} ${className}`} {...name}>
      {title && (
        <div className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {to ? (
              <Link to={to} className={styles.whole}>
                {title}
              </Link>
            ) : (
              title
            )}
          </h2>
          {actions}
        </div>
      )}
      <CardTitle value={title}>{children}</CardTitle>
    </section>
  )
}
