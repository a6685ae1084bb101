import type { ReactNode } from 'react'
import styles from './Transparency.module.css'

interface FigureTableProps {
  caption: string
  columns: string[]
  /** The number of text columns from the left; one by default. */
  words?: number
  rows: { key: string; cells: ReactNode[] }[]
  /** The empty state. */
  empty: string
}

/** Names on the left, figures on the right. It scrolls sideways in a narrow window. */
export function FigureTable({ caption, columns, words = 1, rows, empty }: FigureTableProps) {
  if (rows.length === 0) {
    return (
      <p className={styles.muted}>
        <strong>{caption}</strong> {empty}
      </p>
    )
  }
  const kind = (column: number) => ({ 'data-words': column < words })
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>{caption}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={caption}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={column} scope="col" {...kind(index)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells: [first, ...others] }) => (
              <tr key={key}>
                <th scope="row" {...kind(0)}>
                  {first}
                </th>
                {others.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its column
                  <td key={index} {...kind(index + 1)} data-label={columns[index + 1]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </figure>
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
