import { useId } from 'react'
import { Link } from 'react-router'
import { BrandLink } from '@/components/BrandLink.tsx'
import { Leaves } from '@/components/Leaves.tsx'
import type { Brand } from '@/lib/brand.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Footer.module.css'
import { memberLinks } from './links.ts'
import { SOCIAL_ICONS, STORE_ICONS } from './social.ts'

export function Footer() {
  const { brand, shell, links } = useStrings()
  const { footer, risk } = brand
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Leaves size={36} />
          <p className={styles.name}>{brand.name}</p>
          <p className={styles.muted}>{brand.tagline}</p>
          <Social entries={footer.social} />
          <div className={styles.badges}>
            <Badge link={footer.app_store} icon={STORE_ICONS.apple} />
            <Badge link={footer.play_store} icon={STORE_ICONS.play} />
          </div>
        </div>
        <nav className={styles.columns} aria-label={shell.footerMenu}>
          {footer.groups.map((group) => (
            <LinkColumn key={group.title} {...group} />
          ))}
        </nav>
        <div className={styles.small}>
          <p>{risk.footer}</p>
          <ul className={styles.row}>
            {memberLinks.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={styles.link}>
                  {label(links)}
                </Link>
              </li>
            ))}
          </ul>
          <p>{footer.copyright}</p>
        </div>
      </div>
    </footer>
  )
}

/** The risk, the terms and the copyright. */
export function SlimFooter() {
  const { footer, risk } = useStrings().brand
  return (
    <footer className={styles.footer}>
      <div className={styles.slim}>
        <p>{risk.footer}</p>
        <ul className={styles.row}>
          {footer.groups[1]?.links.map(({ label, href }) => (
            <li key={label}>
              <BrandLink href={href} className={styles.link}>
                {label}
              </BrandLink>
            </li>
          ))}
        </ul>
        <p>{footer.copyright}</p>
      </div>
    </footer>
  )
}

function LinkColumn({ title, links }: Brand['footer']['groups'][number]) {
  const headingId = useId()
  return (
    <div>
      <h2 id={headingId} className={styles.heading}>
        {title}
      </h2>
      <ul aria-labelledby={headingId}>
        {links.map(({ label, href }) => (
          <li key={label}>
            <BrandLink href={href} className={styles.link}>
              {label}
            </BrandLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Social({ entries }: { entries: Brand['footer']['social'] }) {
  const { shell } = useStrings()
  return (
    <ul className={styles.row} aria-label={shell.social}>
      {entries.map(({ network, href }) => (
        <li key={network}>
          <BrandLink href={href} className={styles.icon} label={network}>
            <Icon path={SOCIAL_ICONS[network]} />
          </BrandLink>
        </li>
      ))}
    </ul>
  )
}

function Badge({ link, icon }: { link: Brand['footer']['app_store']; icon: string }) {
  return (
    <BrandLink href={link.href} className={styles.badge}>
      <Icon path={icon} />
      {link.label}
    </BrandLink>
  )
}

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className={styles.glyph}>
      <path d={path} />
    </svg>
  )
}
