import { useStrings } from '@/lib/strings/index.ts'
import { chooseLanguage, languages, useLanguage } from '@/lib/strings/language.ts'
import styles from './LanguageSwitch.module.css'

/** Each language has its own name, so that its speakers find it. */
export function LanguageSwitch() {
  const { language } = useStrings()
  const { language: current } = useLanguage()
  return (
    <select
      className={styles.select}
      aria-label={language.choose}
      value={current}
      onChange={(event) => {
        // If the file cannot be fetched, language and choice stay.
        chooseLanguage(event.currentTarget.value).catch(() => {})
      }}
    >
      {Object.entries(languages).map(([code, { name }]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  )
}
