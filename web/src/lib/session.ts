import { useSyncExternalStore } from 'react'
import { type Session, session } from './api/session.ts'

/** The session of this tab; the component renders again after every change. */
export function useSession(): Session {
  return useSyncExternalStore(session.subscribe, session.get, session.get)
}

/** The router's state at the login after the server has ended the session. */
export const SESSION_ENDED = 'the session has ended'

/** Whether somebody is signed in: the flag must be strictly true. */
export const isSignedIn = (): boolean => session.get().isAuth === true
