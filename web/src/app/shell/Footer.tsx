import { useId } from 'react'
import { Link } from 'react-router'
import { Leaves } from '@/components/Leaves.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Footer.module.css'
import { memberLinks, type SiteLink, siteLinks } from './links.ts'

export function Footer() {
  const { brand, shell } = useStrings()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Leaves size={36} />
          <p className={styles.name}>{brand.name}</p>
          <p className={styles.muted}>{brand.tagline}</p>
        </div>
        <nav className={styles.columns} aria-label={shell.footerMenu}>
          <LinkColumn heading={shell.footerSite} entries={siteLinks} />
          <LinkColumn heading={shell.footerMembers} entries={memberLinks} />
        </nav>
        <div className={styles.small}>
          <p>{shell.footerRisk}</p>
          <p>{brand.copyright}</p>
        </div>
      </div>
    </footer>
  )
}

function LinkColumn({ heading, entries }: { heading: string; entries: readonly SiteLink[] }) {
  const { links } = useStrings()
  const headingId = useId()
  return (
    <div>
      <h2 id={headingId} className={styles.heading}>
        {heading}
      </h2>
      <ul aria-labelledby={headingId}>
        {entries.map((link) => (
          <li key={link.to}>
            <Link to={link.to} className={styles.link}>
              {link.label(links)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
