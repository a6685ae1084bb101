import { useParams } from 'react-router'
import { NotFound } from '@/components/NotFound.tsx'
import { useDocumentTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './InfoPage.module.css'

/** A plain page of the brand: terms, privacy, careers and the like. */
export function Component() {
  const { slug = '' } = useParams()
  const { brand, titles } = useStrings()
  const page = brand.pages.find((candidate) => candidate.slug === slug.toLowerCase())
  useDocumentTitle(page?.title ?? titles.notFound)
  if (!page) return <NotFound />
  return (
    <article className={styles.page}>
      <h1 className={styles.heading}>{page.title}</h1>
      {page.paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </article>
  )
}
