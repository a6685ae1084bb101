import { DRAFT_PREFIX } from './api/session.ts'
import { tryStorage } from './storage.ts'

/**
 * Drafts of forms. A draft is saved in this tab while the member types, one key for each form with
 * the member's id, and survives a reload, the Back button and the end of the session; only the same
 * member gets it back. Secrets are never saved: a form names the fields that may be. A log-out
 * empties the storage.
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

/** `userId` is empty while nobody is signed in. */
export function keepDraft(screen: string, userId: string, values: DraftValues): void {
  const text = JSON.stringify({ userId, values } satisfies Kept)
  tryStorage(() => sessionStorage.setItem(keyOf(screen), text), undefined)
}

/** The member's draft of a form; null if there is none. */
export function draftOf(screen: string, userId: string): DraftValues | null {
  const kept = parse(tryStorage(() => sessionStorage.getItem(keyOf(screen)), null))
  return kept?.userId === userId ? kept.values : null
}

export function forgetDraft(screen: string): void {
  tryStorage(() => sessionStorage.removeItem(keyOf(screen)), undefined)
}

const screensKept = () =>
  tryStorage(() => Object.keys(sessionStorage), [])
    .filter((key) => key.startsWith(DRAFT_PREFIX))
    .map((key) => key.slice(DRAFT_PREFIX.length))

/** Deletes the drafts of other members at a sign-in. Returns whether this member has any. */
export function keepOnlyDraftsOf(userId: string): boolean {
  const all = screensKept()
  const own = all.filter((screen) => draftOf(screen, userId) !== null)
  for (const screen of all) if (!own.includes(screen)) forgetDraft(screen)
  return own.length > 0
}

export function forgetAllDrafts(): void {
  for (const screen of screensKept()) forgetDraft(screen)
}
