import { Link } from 'react-router'
import { useStrings } from '@/lib/strings/index.ts'
import { buttonClass } from './button.ts'
import { StatusPage } from './StatusPage.tsx'

/** The page of an unknown address. */
export function NotFound() {
  const { notFound } = useStrings()
  return (
    <StatusPage
      heading={notFound.heading}
      text={notFound.text}
      actions={
        <Link to="/" className={buttonClass('primary')}>
          {notFound.home}
        </Link>
      }
    />
  )
}
