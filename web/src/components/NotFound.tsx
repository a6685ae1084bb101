import { Link } from 'react-router'
import { useSession } from '@/lib/session.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { buttonClass } from './button.ts'
import { StatusPage } from './StatusPage.tsx'

/** The page of an unknown address. */
export function NotFound() {
  const { notFound, links } = useStrings()
  const { isAuth } = useSession()
  return (
    <StatusPage
      heading={notFound.heading}
      text={notFound.text}
      actions={
        <Link to={isAuth === true ? '/dashboard' : '/'} className={buttonClass('primary')}>
          {isAuth === true ? links.dashboard : notFound.home}
        </Link>
      }
    />
  )
}
