import { useMemo } from 'react'
import { useLocation } from 'react-router'

/**
 * What stands after the # of the address, as names and values. One-time secrets of mailed links
 * stand there: the browser sends that part to no server, so no log and no Referer header has them.
 */
export function useFragment(): URLSearchParams {
  const { hash } = useLocation()
  return useMemo(() => new URLSearchParams(hash.slice(1)), [hash])
}
