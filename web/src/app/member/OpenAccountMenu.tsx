import { Menu } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'
import { AccountButton } from './AccountButton.tsx'

/** Open as soon as it is there; from then on its button opens and closes it. */
export default function OpenAccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { memberShell, sections } = useStrings()
  const { userId, username } = useSession()
  return (
    // A menu may hold nothing but its items, so no placeholder takes the focus first.
    <Menu position="bottom-end" width={220} defaultOpened withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <AccountButton />
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
