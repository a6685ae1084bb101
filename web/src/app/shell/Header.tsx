import { createContext, useContext, useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { Leaves } from '@/components/Leaves.tsx'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { ThemeSwitch } from '../theme/ThemeSwitch.tsx'
import styles from './Header.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'
import { dashboardLink, loginLink, registerLink, type SiteLink, siteLinks } from './links.ts'

export function Header() {
  const { brand, shell, links } = useStrings()
  const { isAuth } = useSession()
  const door = isAuth === true ? dashboardLink : loginLink
  const menu = useMenu()
  const menuId = useId()
  const section = useSection()
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <Link to="/" className={styles.logo} aria-label={shell.logoLabel({ name: brand.name })}>
          <Leaves size={32} />
          <span>{brand.logo_text}</span>
        </Link>
        <button
          ref={menu.buttonRef}
          type="button"
          className={styles.menuButton}
          aria-expanded={menu.open}
          aria-controls={menuId}
          aria-label={menu.open ? shell.closeMenu : shell.openMenu}
          onClick={menu.toggle}
        >
          <MenuIcon open={menu.open} />
        </button>
        <nav id={menuId} className={styles.menu} data-open={menu.open} aria-label={shell.mainMenu}>
          <ul>
            <Section value={section}>
              {siteLinks.map((link) => (
                <MenuItem key={link.to} link={link} />
              ))}
              {(isAuth === true ? [dashboardLink] : [loginLink, registerLink]).map((link) => (
                <MenuItem key={link.to} link={link} narrowOnly />
              ))}
            </Section>
          </ul>
        </nav>
        <div className={styles.actions}>
          <LanguageSwitch />
          <ThemeSwitch />
          <Link
            to={door.to}
            className={buttonClass(isAuth === true ? 'primary' : 'quiet')}
            aria-label={door.label(links)}
          >
            {isAuth === true ? (
              <>
                <span className={styles.wideOnly}>{links.dashboard}</span>
                <PersonIcon />
              </>
            ) : (
              door.label(links)
            )}
          </Link>
          {isAuth !== true && (
            <Link to="/Signup" className={`${buttonClass('primary')} ${styles.create}`}>
              {links.create}
            </Link>
          )}
        </div>
      </div>
    </header>
  )
}

/** The link of the section in sight; null on a page without the sections. */
const Section = createContext<string | null>(null)

/** A section is current when its top passes this line below the header. */
const LINE_PX = 160

/** Follows the scroll on the landing page. */
function useSection(): string | null {
  const { pathname } = useLocation()
  const [section, setSection] = useState<string | null>(null)
  useEffect(() => {
    const sections = siteLinks.filter(({ to }) => to.startsWith('/#'))
    const look = () => {
      const passed = sections
        .map(({ to }) => ({
          to,
          top: document.getElementById(to.slice(2))?.getBoundingClientRect().top,
        }))
        .filter(({ top }) => top !== undefined && top < LINE_PX)
        .toSorted((a, b) => (b.top ?? 0) - (a.top ?? 0))
      setSection(pathname === '/' ? (passed[0]?.to ?? '/') : null)
    }
    look()
    if (pathname !== '/') return
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [pathname])
  return section
}

interface MenuItemProps {
  link: SiteLink
  /** The wide header shows this entry elsewhere. */
  narrowOnly?: boolean
}

function MenuItem({ link, narrowOnly = false }: MenuItemProps) {
  const { links } = useStrings()
  const { pathname, hash } = useLocation()
  const section = useContext(Section)
  const current = link.to === (section ?? `${pathname}${hash}`)
  return (
    <li className={narrowOnly ? styles.narrowOnly : undefined}>
      <Link
        to={link.to}
        className={styles.link}
        aria-current={current ? (link.to.includes('#') ? 'location' : 'page') : undefined}
      >
        {link.label(links)}
      </Link>
    </li>
  )
}

/** In place of the words where there is no room for them. */
function PersonIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={styles.person}>
      <circle cx="12" cy="8" r="4" />
      <path d="M4 20c1-4 4-6 8-6s7 2 8 6" />
    </svg>
  )
}

function MenuIcon({ open }: { open: boolean }) {
  return (
    <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" className={styles.menuIcon}>
      <path d={open ? 'M6 6l12 12M18 6 6 18' : 'M4 7h16M4 12h16M4 17h16'} />
    </svg>
  )
}

/** The menu's button opens and closes it; Escape and any navigation close it. */
function useMenu() {
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  const buttonRef = useRef<HTMLButtonElement>(null)
  const open = openAt === key

  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpenAt(null)
      buttonRef.current?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [open])

  return { open, buttonRef, toggle: () => setOpenAt(open ? null : key) }
}
