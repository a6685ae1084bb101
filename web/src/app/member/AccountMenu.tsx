import { Menu, UnstyledButton } from '@mantine/core'
import { CircleUser, LogOut } from 'lucide-react'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'

export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
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
