import { buttonClass } from '@/components/button.ts'
import { StatusPage } from '@/components/StatusPage.tsx'
import { requestIdOf } from '@/lib/errors.ts'
import { useDocumentTitle } from '@/lib/route.ts'
import { useStrings } from '@/lib/strings/index.ts'

interface ErrorPageProps {
  error: unknown
  onRetry?: () => void
}

/**
 * Both buttons reload the page: after an error no state in memory is trusted, and a screen whose
 * code could not be fetched needs a new start.
 */
export function ErrorPage({ error, onRetry = () => window.location.reload() }: ErrorPageProps) {
  const { error: text, titles } = useStrings()
  const requestId = requestIdOf(error)
  useDocumentTitle(titles.error)
  return (
    <div role="alert">
      <StatusPage
        heading={text.heading}
        text={text.text}
        actions={
          <>
            <button type="button" className={buttonClass('primary')} onClick={onRetry}>
              {text.retry}
            </button>
            <a href="/" className={buttonClass('quiet')}>
              {text.home}
            </a>
          </>
        }
      >
        {requestId && (
          <p>
            {text.requestId} <code>{requestId}</code>
          </p>
        )}
      </StatusPage>
    </div>
  )
}
