import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface BrandLinkProps {
  /** A link of the brand: an address of this site, another site, or an e-mail address. */
  href: string
  className?: string | undefined
  label?: string
  children: ReactNode
}

export function BrandLink({ href, className, label, children }: BrandLinkProps) {
  const props = { className, 'aria-label': label }
  if (href.startsWith('/') || href.startsWith('#')) {
    return (
      <Link to={href} {...props}>
        {children}
      </Link>
    )
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" {...props}>
      {children}
    </a>
  )
}
