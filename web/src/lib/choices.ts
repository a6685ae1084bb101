/**
 * How a visitor wants the pages to look and speak. It is kept in cookies, because logging out
 * empties both storages and is no reason to lose it. Nothing else may be kept so: cookies travel
 * with every call.
 */
export type Choice = 'bifolia.theme' | 'bifolia.language'

const CHOICES: readonly Choice[] = ['bifolia.theme', 'bifolia.language']
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** What was chosen on this browser, in whichever tab; null if nothing was, or it keeps nothing. */
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
    // Cookies are blocked: the choice holds until the page is left.
  }
}

/** Choices were in localStorage once: what is still there moves. */
export function moveOldChoices(): void {
  for (const name of CHOICES) {
    try {
      const old = localStorage.getItem(name)
      if (old === null) continue
      localStorage.removeItem(name)
      if (chosen(name) === null) keepChoice(name, old)
    } catch {
      // Storage is blocked: there is nothing to move.
    }
  }
}

/** Calls when the tab is looked at again: another one may have chosen meanwhile. */
export function onReturn(listener: () => void): () => void {
  const look = () => {
    if (document.visibilityState === 'visible') listener()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
