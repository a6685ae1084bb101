import { Menu } from '@mantine/core'
import { LogOut } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideHeader.module.css'
import { AccountButton } from './AccountButton.tsx'

/**
 * Opens as soon as it is there; from then on its button opens and closes it. The button that was
 * pressed is gone by then: this one takes its focus, to get it back from the menu.
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
    // A menu may hold nothing but its items, so no placeholder takes the focus first.
    <Menu
      position="bottom-end"
      width={220}
      opened={opened}
      onChange={setOpened}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        {/* The menu hears Escape once it has the focus, which is a moment after it can be seen. */}
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
