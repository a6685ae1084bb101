import { useSyncExternalStore } from 'react'
import { type Session, session } from './api/session.ts'

/** Who is signed in, in this tab. The screen follows every change. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.get, session.get)
}

/** Goes with who is led to the login because the server has ended the session. */
export const SESSION_ENDED = 'the session has ended'

/** The only way past the guard: the flag is strictly true. */
export const isSignedIn = (): boolean => session.get().isAuth === true
