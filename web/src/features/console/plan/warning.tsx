import type { ConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Plan.module.css'

/** The warning about an unusual plan as a fact of the dialog; none usually. */
export const warningFacts = (warning: string, { trading: t }: ConsoleStrings) =>
  warning === ''
    ? []
    : ([
        [
          t.warning,
          <strong key="warning" className={styles.warning}>
            {warning}
          </strong>,
        ],
      ] as const)
