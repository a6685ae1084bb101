import { LogOut, PanelLeft } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { Leaves } from '@/components/Leaves.tsx'
import { useRouteTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { Page, SkipLink } from './Page.tsx'
import header from './SideHeader.module.css'
import sideMenu from './SideMenu.module.css'
import styles from './SideShell.module.css'
import { useSideMenu } from './sideMenu.ts'

interface SideShellProps {
  menu: SideMenu
  /** The header's content before the title and after the switches. */
  section?: ReactNode
  account?: ReactNode
  /** Below the header of every screen. */
  banner?: ReactNode
  children: ReactNode
}

interface SideMenu {
  label: string
  /** The address of the logo's link. */
  home: string
  /** The signed-in person. */
  who: ReactNode
  /** The items of the menu's list; Log Out follows them. */
  entries: ReactNode
  onLogOut: () => void
}

/** The shell of signed-in people: a menu beside the screen, a header above it. */
export function SideShell({ menu, section, account, banner, children }: SideShellProps) {
  const { memberShell } = useStrings()
  const title = useRouteTitle()
  const menuId = useId()
  const side = useSideMenu()
  return (
    <div className={styles.shell} data-menu={side.open ? 'open' : 'closed'}>
      <SkipLink />
      {side.open && (
        <>
          <div className={styles.side}>
            <Menu id={menuId} menu={menu} />
          </div>
          <button
            type="button"
            className={styles.backdrop}
            aria-label={memberShell.closeMenu}
            tabIndex={-1}
            onClick={side.close}
          />
        </>
      )}
      <div className={styles.page}>
        <header className={header.header}>
          <button
            ref={side.toggleRef}
            type="button"
            className={`${header.toggle} ${header.menuToggle}`}
            aria-expanded={side.open}
            aria-controls={menuId}
            aria-label={side.open ? memberShell.closeMenu : memberShell.openMenu}
            onClick={side.toggle}
          >
            <PanelLeft size={20} aria-hidden="true" />
          </button>
          <p className={header.title}>
            {section && <span className={header.section}>{section} / </span>}
            {title}
          </p>
          <LanguageSwitch />
          <ThemeSwitch />
          {account}
        </header>
        {banner}
        <Page className={styles.main ?? ''}>{children}</Page>
      </div>
    </div>
  )
}

function Menu({ id, menu }: { id: string; menu: SideMenu }) {
  const { brand, sections } = useStrings()
  return (
    <nav id={id} className={sideMenu.sidebar} aria-label={menu.label}>
      <Link to={menu.home} className={sideMenu.logo}>
        <Leaves size={28} />
        <span>{brand.name}</span>
      </Link>
      <div className={sideMenu.who}>{menu.who}</div>
      <ul className={sideMenu.list}>
        {menu.entries}
        <li>
          <button type="button" className={sideMenu.entry} onClick={menu.onLogOut}>
            <LogOut size={18} aria-hidden="true" />
            {sections.logOut}
          </button>
        </li>
      </ul>
    </nav>
  )
}
