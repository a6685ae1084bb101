import { Link } from 'react-router'
import { useStrings } from '@/lib/strings/index.ts'
import { buttonClass } from './button.ts'
import { StatusPage } from './StatusPage.tsx'

/** At an address where there is nothing. */
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
