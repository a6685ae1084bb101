import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { term } from '@/lib/strings/speech.ts'
import styles from './Plan.module.css'

/** What is unusual about a plan, for who is about to propose or approve it; nothing mostly. */
export const warned = (warning: string, { trading: t }: ConsoleStrings) =>
  warning === ''
    ? []
    : ([
        [
          t.warning,
          <strong key="warning" className={styles.warning}>
            {term(warning)}
          </strong>,
        ],
      ] as const)
