import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import { useDashboard } from '@/lib/queries/dashboard.ts'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from '../shell/SideMenu.module.css'
import { type MenuSection, menu, sectionOf } from './menu.ts'

/** The entries of the member menu. */
export function Entries() {
  const { open, toggle } = useAccordion()
  return menu.map((section) => (
    <Section
      key={section.name}
      section={section}
      open={open === section.name}
      onToggle={() => toggle(section.name)}
    />
  ))
}

/** The signed-in member. */
export function Who() {
  const { memberShell } = useStrings()
  const { userId, username } = useSession()
  const { data } = useDashboard()
  const name = data?.f_name || username
  return (
    <>
      <p className={styles.detail}>{memberShell.userId({ id: userId })}</p>
      <p className={styles.name} title={name} dir="auto">
        {name}
      </p>
    </>
  )
}

/** One section is open at a time: that of the page, until the member opens another. */
function useAccordion() {
  const { pathname } = useLocation()
  const [chosen, setChosen] = useState<{ at: string; name: string | null } | null>(null)
  const open = chosen?.at === pathname ? chosen.name : (sectionOf(pathname)?.name ?? null)
  return {
    open,
    toggle: (name: string) => setChosen({ at: pathname, name: open === name ? null : name }),
  }
}

interface SectionProps {
  section: MenuSection
  open: boolean
  onToggle: () => void
}

function Section({ section: { name, icon: Icon, paths }, open, onToggle }: SectionProps) {
  const { sections, memberTitles } = useStrings()
  const { pathname } = useLocation()
  const listId = useId()
  if (paths.length === 1) {
    return (
      <li>
        <NavLink to={paths[0]} className={() => styles.entry}>
          <Icon size={18} aria-hidden="true" />
          {sections[name]}
        </NavLink>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        className={styles.entry}
        aria-expanded={open}
        aria-controls={listId}
        data-current={sectionOf(pathname)?.name === name}
        onClick={onToggle}
      >
        <Icon size={18} aria-hidden="true" />
        {sections[name]}
        <ChevronDown size={16} aria-hidden="true" className={styles.chevron} />
      </button>
      <ul id={listId} className={styles.sublist} hidden={!open}>
        {paths.map((path) => (
          <li key={path}>
            <NavLink to={path} className={() => styles.link}>
              {memberTitles[path]}
            </NavLink>
          </li>
        ))}
      </ul>
    </li>
  )
}
