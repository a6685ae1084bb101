import { Outlet } from 'react-router'
import { Leaves } from '@/components/Leaves.tsx'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx'
import { Page } from '../shell/Page.tsx'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import styles from './ConsoleDoor.module.css'

/** The shell of the console's sign-in, without the public site's header and footer. */
export function Component() {
  const { brand, console: t } = useConsoleStrings()
  return (
    <div className={styles.door}>
      <header className={styles.header}>
        <p className={styles.logo}>
          <Leaves size={28} />
          <span>
            {brand.name} <span className={styles.part}>{t.name}</span>
          </span>
        </p>
        <LanguageSwitch />
        <ThemeSwitch />
      </header>
      <Page className={styles.main ?? ''}>
        <Outlet />
      </Page>
    </div>
  )
}
