import { tryStorage } from '../storage.ts'

/**
 * The session of this tab. Session storage keeps it under one key, so it survives a reload and ends
 * with the tab. `get` returns the same object until something changes, so that React's
 * useSyncExternalStore can take `subscribe` and `get` as they are.
 */

export interface Session {
  isAuth: boolean
  userId: string
  username: string
  jwtToken: string
  ipAddress: string
  /** Signed in with a temporary password: only the change of it is allowed. */
  mustChange?: boolean
}

export interface SessionStore {
  get: () => Session
  /** Changes the given fields and keeps the others. */
  set: (change: Partial<Session>) => void
  /**
   * Logs out. A member's log-out empties both storages of the browser, an operator's only its key.
   */
  clear: () => void
  /** Like `clear`, after the server has ended the session: drafts of forms are kept. */
  expire: () => void
  /** Calls `listener` after every change, until the returned function is called. */
  subscribe: (listener: () => void) => () => void
}

export const STORAGE_KEY = 'bifolia.session'
/** Drafts of forms; see lib/drafts.ts. */
export const DRAFT_PREFIX = 'bifolia.draft.'
/** Idempotency keys of unanswered calls; see lib/api/submit.ts. */
export const UNANSWERED_KEY = 'bifolia.undecided'
/** An operator's session is separate from the member's of the same tab. */
export const OPERATOR_STORAGE_KEY = 'bifolia.operator'

const NOBODY: Session = Object.freeze({
  isAuth: false,
  userId: '',
  username: '',
  jwtToken: '',
  ipAddress: '',
})

/** `mustChange` is left out when it is false. */
function plain({ mustChange, ...fields }: Session): Session {
  return mustChange ? { ...fields, mustChange } : fields
}

/** The stored session; an empty one if the text is missing or invalid. */
function parse(text: string | null): Session {
  if (text === null) return NOBODY
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return NOBODY
  }
  if (typeof value !== 'object' || value === null) return NOBODY
  const fields = value as Record<string, unknown>
  const { isAuth, userId, username, jwtToken, ipAddress } = fields
  const whole =
    typeof isAuth === 'boolean' &&
    typeof userId === 'string' &&
    typeof username === 'string' &&
    typeof jwtToken === 'string' &&
    typeof ipAddress === 'string'
  if (!whole) return NOBODY
  const mustChange = fields.mustChange === true
  return plain({ isAuth, userId, username, jwtToken, ipAddress, mustChange })
}

function forget(key: string): void {
  if (key !== STORAGE_KEY) {
    tryStorage(() => sessionStorage.removeItem(key), undefined)
    return
  }
  tryStorage(() => sessionStorage.clear(), undefined)
  tryStorage(() => localStorage.clear(), undefined)
}

/** Clears the storage but keeps drafts and the keys under which they were sent. */
function forgetButDrafts(key: string): void {
  const drafts = tryStorage(() => Object.entries<string>(sessionStorage), []).filter(
    ([name]) => name.startsWith(DRAFT_PREFIX) || name === UNANSWERED_KEY,
  )
  forget(key)
  for (const [name, text] of drafts) {
    tryStorage(() => sessionStorage.setItem(name, text), undefined)
  }
}

export function createSessionStore(key = STORAGE_KEY): SessionStore {
  let current = parse(tryStorage(() => sessionStorage.getItem(key), null))
  const listeners = new Set<() => void>()
  const replace = (next: Session) => {
    current = next
    for (const listener of [...listeners]) listener()
  }

  return {
    get: () => current,
    set: (change) => {
      const next = plain({ ...current, ...change })
      tryStorage(() => sessionStorage.setItem(key, JSON.stringify(next)), undefined)
      replace(next)
    },
    clear: () => {
      forget(key)
      replace(NOBODY)
    },
    expire: () => {
      forgetButDrafts(key)
      replace(NOBODY)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The session of this tab. */
export const session = createSessionStore()
