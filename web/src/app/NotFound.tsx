import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { StatusPage } from '@/components/StatusPage.tsx'
import { useStrings } from '@/lib/strings/index.ts'

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
