import { Menu } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'
import { AccountButton } from './AccountButton.tsx'

/**
 * Opens when it mounts; from then on its button opens and closes it. It replaces the button that
 * was pressed, so it takes the focus, and the menu returns it here.
 */
export default function OpenAccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { memberShell, sections } = useStrings()
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
        <Menu.Item leftSection={<LogOut size={16} aria-hidden="true" />} onClick={onLogOut}>
          {sections.logOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
