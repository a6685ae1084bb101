import { Link, useParams } from 'react-router'
import { BrandLink } from '@/components/BrandLink.tsx'
import { buttonClass } from '@/components/button.ts'
import { NotFound } from '@/components/NotFound.tsx'
import { useDocumentTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './InfoPage.module.css'

/** A plain page of the brand: terms, privacy, careers and the like. */
export function Component() {
  const { slug = '' } = useParams()
  const { brand, titles, info: t } = useStrings()
  const page = brand.pages.find((candidate) => candidate.slug === slug.toLowerCase())
  useDocumentTitle(page?.title ?? titles.notFound)
  if (!page) return <NotFound />
  return (
    <>
      <header className={styles.band}>
        <h1 className={styles.heading}>{page.title}</h1>
      </header>
      <div className={styles.columns}>
        <nav className={styles.contents} aria-label={t.pages}>
          <ul>
            {brand.footer.groups
              .flatMap(({ links }) => links)
              .filter(({ href }) => href.startsWith('/info/'))
              .map(({ label, href }) => (
                <li key={label} data-current={href === `/info/${page.slug}`}>
                  <BrandLink href={href}>{label}</BrandLink>
                </li>
              ))}
          </ul>
        </nav>
        <article className={styles.page}>
          {page.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <section className={styles.contact} aria-label={t.contact}>
            <h2>{t.contact}</h2>
            <p>{t.contactText}</p>
            <Link to="/Login" className={buttonClass('quiet')}>
              {t.login}
            </Link>
          </section>
        </article>
      </div>
    </>
  )
}
