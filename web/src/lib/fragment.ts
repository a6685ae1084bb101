import { useMemo } from 'react'
import { useLocation } from 'react-router'

/**
 * The names and values after the # of the address. The links of mails carry one-time secrets there:
 * the browser does not send that part, so no log and no Referer header has them.
 */
export function useFragment(): URLSearchParams {
  const { hash } = useLocation()
  return useMemo(() => new URLSearchParams(hash.slice(1)), [hash])
}
