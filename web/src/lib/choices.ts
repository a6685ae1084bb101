/**
 * The visitor's choice of language and colour mode. It is kept in cookies, because a log-out
 * empties both storages and must not reset it. Nothing else is kept in cookies: they travel with
 * every call.
 */
export type Choice = 'bifolia.theme' | 'bifolia.language'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The choice of this browser; null if there is none, or if cookies are blocked. */
export function chosen(name: Choice): string | null {
  try {
    const entry = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
    return entry?.slice(name.length + 1) ?? null
  } catch {
    return null
  }
}

export function keepChoice(name: Choice, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser has another way, and none that does it at once.
    document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
  } catch {
    // Cookies are blocked: the choice lasts until the page is left.
  }
}

/** Calls `listener` when the tab becomes visible: another tab may have changed the choice. */
export function onReturn(listener: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') listener()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
