import { Menu } from '@mantine/core'
import { FileText, Languages, LogOut, Moon, ShieldCheck, Sun, UserRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { STATEMENT } from '@/lib/paths.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { chooseLanguage, languages, useLanguage } from '@/lib/strings/language.ts'
import styles from '../shell/SideHeader.module.css'
import { chooseMode, useMode } from '../theme/mode.ts'
import { AccountButton } from './AccountButton.tsx'

const PAGES = [
  ['profile', '/ProfileSetting', UserRound],
  ['security', '/Security', ShieldCheck],
  ['statements', STATEMENT, FileText],
] as const

/**
 * Opens when it mounts; from then on its button opens and closes it. It replaces the button that
 * was pressed, so it takes the focus, and the menu returns it here.
 */
export default function OpenAccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { memberShell, sections, theme } = useStrings()
  const { language } = useLanguage()
  const mode = useMode()
  const { userId, username } = useSession()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    button.current?.focus()
    setOpened(true)
  }, [])
  return (
    // A menu may contain only items, so no placeholder takes the focus first.
    <Menu
      position="bottom-end"
      width={220}
      opened={opened}
      onChange={setOpened}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        {/* The menu receives Escape only once it has the focus, a moment after it is visible. */}
        <AccountButton
          ref={button}
          onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={styles.who} dir="auto">
            {username}
          </span>
          {memberShell.userId({ id: userId })}
        </Menu.Label>
        <Menu.Divider />
        {PAGES.map(([name, to, Icon]) => (
          <Menu.Item
            key={name}
            component={Link}
            to={to}
            leftSection={<Icon size={16} aria-hidden="true" />}
          >
            {memberShell[name]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {Object.entries(languages)
          .filter(([code]) => code !== language)
          .map(([code, { name }]) => (
            <Menu.Item
              key={code}
              lang={code}
              leftSection={<Languages size={16} aria-hidden="true" />}
              onClick={() => void chooseLanguage(code).catch(() => {})}
            >
              {name}
            </Menu.Item>
          ))}
        <Menu.Item
          leftSection={
            mode === 'dark' ? (
              <Sun size={16} aria-hidden="true" />
            ) : (
              <Moon size={16} aria-hidden="true" />
            )
          }
          onClick={() => chooseMode(mode === 'dark' ? 'light' : 'dark')}
        >
          {mode === 'dark' ? theme.useLight : theme.useDark}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} aria-hidden="true" />} onClick={onLogOut}>
          {sections.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
