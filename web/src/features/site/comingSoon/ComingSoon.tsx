import { Link } from 'react-router'
import { buttonClass } from '@/components/button.ts'
import { StatusPage } from '@/components/StatusPage.tsx'
import { useRouteTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'

/** The page of an address without a screen. */
export function ComingSoon() {
  const { comingSoon } = useStrings()
  return (
    <StatusPage
      eyebrow={useRouteTitle()}
      heading={comingSoon.heading}
      text={comingSoon.text}
      actions={
        <>
          <Link to="/" className={buttonClass('primary')}>
            {comingSoon.home}
          </Link>
          <Link to="/#About" className={buttonClass('quiet')}>
            {comingSoon.about}
          </Link>
        </>
      }
    />
  )
}
