/**
 * What somebody had entered in a form when the server ended the session. It is kept in this tab,
 * one key for each form, with whose it is; only that member gets it back. Secrets never get here:
 * a form names the fields that may be kept. Logging out empties the storage, and with it all of
 * this.
 */

const PREFIX = 'bifolia.draft.'

type Values = Record<string, string>

interface Kept {
  userId: string
  values: Values
}

const keyOf = (screen: string) => PREFIX + screen

function parse(text: string | null): Kept | null {
  try {
    const { userId, values } = JSON.parse(text ?? '') as Partial<Kept>
    const isWhole =
      typeof userId === 'string' &&
      typeof values === 'object' &&
      values !== null &&
      Object.values(values).every((value) => typeof value === 'string')
    return isWhole ? { userId, values } : null
  } catch {
    return null
  }
}

/** Storage may be blocked or full: there is then nothing to give back. */
function tolerant<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}

export function keepDraft(screen: string, userId: string, values: Values): void {
  const text = JSON.stringify({ userId, values } satisfies Kept)
  tolerant(() => sessionStorage.setItem(keyOf(screen), text), undefined)
}

/** What this member had entered there; null if nothing is kept, or somebody else's. */
export function draftOf(screen: string, userId: string): Values | null {
  const kept = parse(tolerant(() => sessionStorage.getItem(keyOf(screen)), null))
  return kept?.userId === userId ? kept.values : null
}

export function forgetDraft(screen: string): void {
  tolerant(() => sessionStorage.removeItem(keyOf(screen)), undefined)
}

/** When somebody signs in: others' drafts go. Answers whether this member has any. */
export function keepOnlyDraftsOf(userId: string): boolean {
  const keys = tolerant(() => Object.keys(sessionStorage), []).filter((key) =>
    key.startsWith(PREFIX),
  )
  const own = keys.filter((key) => draftOf(key.slice(PREFIX.length), userId) !== null)
  for (const key of keys) if (!own.includes(key)) forgetDraft(key.slice(PREFIX.length))
  return own.length > 0
}
