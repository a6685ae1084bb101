import { DRAFT_PREFIX } from './api/session.ts'

/**
 * What somebody has entered in a form and not sent. It is kept in this tab while they type, one key
 * for each form, with whose it is, and outlives a reload, the Back button and the end of the
 * session; only that member gets it back. Secrets never get here: a form names the fields that may
 * be kept. Logging out empties the storage, and with it all of this.
 */

/** A text, or whether a box is ticked. */
export type DraftValues = Record<string, string | boolean>

interface Kept {
  userId: string
  values: DraftValues
}

const keyOf = (screen: string) => DRAFT_PREFIX + screen

export const isKeepable = (value: unknown): value is string | boolean =>
  typeof value === 'string' || typeof value === 'boolean'

function parse(text: string | null): Kept | null {
  try {
    const { userId, values } = JSON.parse(text ?? '') as Partial<Kept>
    const isWhole =
      typeof userId === 'string' &&
      typeof values === 'object' &&
      values !== null &&
      Object.values(values).every(isKeepable)
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

/** Nobody's id is that of who is not signed in. */
export function keepDraft(screen: string, userId: string, values: DraftValues): void {
  const text = JSON.stringify({ userId, values } satisfies Kept)
  tolerant(() => sessionStorage.setItem(keyOf(screen), text), undefined)
}

/** What this member had entered there; null if nothing is kept, or somebody else's. */
export function draftOf(screen: string, userId: string): DraftValues | null {
  const kept = parse(tolerant(() => sessionStorage.getItem(keyOf(screen)), null))
  return kept?.userId === userId ? kept.values : null
}

export function forgetDraft(screen: string): void {
  tolerant(() => sessionStorage.removeItem(keyOf(screen)), undefined)
}

const screensKept = () =>
  tolerant(() => Object.keys(sessionStorage), [])
    .filter((key) => key.startsWith(DRAFT_PREFIX))
    .map((key) => key.slice(DRAFT_PREFIX.length))

/** When somebody signs in: others' drafts go. Answers whether this member has any. */
export function keepOnlyDraftsOf(userId: string): boolean {
  const all = screensKept()
  const own = all.filter((screen) => draftOf(screen, userId) !== null)
  for (const screen of all) if (!own.includes(screen)) forgetDraft(screen)
  return own.length > 0
}

export function forgetAllDrafts(): void {
  for (const screen of screensKept()) forgetDraft(screen)
}
