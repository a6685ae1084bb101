import styles from './button.module.css'

export type ButtonLook = 'primary' | 'quiet'

/** One look for links and buttons that act; the element stays what it is. */
export function buttonClass(look: ButtonLook): string {
  return `${styles.button} ${styles[look]}`
}
