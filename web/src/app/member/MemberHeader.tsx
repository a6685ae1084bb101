import { Menu, UnstyledButton } from '@mantine/core'
import { CircleUser, LogOut, PanelLeft } from 'lucide-react'
import type { Ref } from 'react'
import { useLocation } from 'react-router'
import { useRouteTitle } from '@/lib/route.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import styles from './MemberHeader.module.css'
import { sectionOf } from './menu.ts'

interface MemberHeaderProps {
  menuOpen: boolean
  menuId: string
  toggleRef: Ref<HTMLButtonElement>
  onToggle: () => void
  onLogOut: () => void
}

export function MemberHeader(props: MemberHeaderProps) {
  const { memberShell, sections } = useStrings()
  const title = useRouteTitle()
  const section = sectionOf(useLocation().pathname)
  return (
    <header className={styles.header}>
      <button
        ref={props.toggleRef}
        type="button"
        className={styles.toggle}
        aria-expanded={props.menuOpen}
        aria-controls={props.menuId}
        aria-label={props.menuOpen ? memberShell.closeMenu : memberShell.openMenu}
        onClick={props.onToggle}
      >
        <PanelLeft size={20} aria-hidden="true" />
      </button>
      <p className={styles.title}>
        {section && section.paths.length > 1 && (
          <span className={styles.section}>{sections[section.name]} / </span>
        )}
        {title}
      </p>
      <LanguageSwitch />
      <ThemeSwitch />
      <AccountMenu onLogOut={props.onLogOut} />
    </header>
  )
}

function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { memberShell, sections } = useStrings()
  const { userId, username } = useSession()
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={styles.toggle} aria-label={memberShell.account}>
          <CircleUser size={22} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <span className={styles.who} dir="auto">
            {username}
          </span>
          {memberShell.userId(userId)}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} aria-hidden="true" />} onClick={onLogOut}>
          {sections.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
