import type { ReactNode } from 'react'
import styles from './Transparency.module.css'

interface FigureTableProps {
  caption: string
  columns: string[]
  rows: { key: string; cells: ReactNode[] }[]
  /** Says what would stand here. */
  empty: string
}

/** Names on the left, figures on the right. It scrolls by itself where the window is narrow. */
export function FigureTable({ caption, columns, rows, empty }: FigureTableProps) {
  if (rows.length === 0) {
    return (
      <p className={styles.muted}>
        <strong>{caption}</strong> {empty}
      </p>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      <table className={styles.table}>
        <caption className={styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [first, ...others] }) => (
            <tr key={key}>
              <th scope="row">{first}</th>
              {others.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function FigureSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}
