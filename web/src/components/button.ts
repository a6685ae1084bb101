import styles from './button.module.css'

export type ButtonLook = 'primary' | 'quiet' | 'deep'

/** The class of links and buttons that look like a button. */
export function buttonClass(look: ButtonLook): string {
  return `${styles.button} ${styles[look]}`
}
