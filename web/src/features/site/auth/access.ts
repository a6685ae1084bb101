import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { components } from '@/lib/api/schema.d.ts'
import { session } from '@/lib/api/session.ts'

export type LoginAnswer = components['schemas']['LoginAnswer']
/** The second step of a login, for members with a second factor. */
export type Second = components['schemas']['SecondStep']

/** The code of a successful login or registration. */
export const OK = 'result.successful'

/** The state of the login after another screen led there. */
export interface LoginState {
  userId?: string
  /** A mail with a temporary password was requested. */
  sent?: boolean
}

/** How long a success is shown before the next screen opens. */
const REDIRECT_MS = 1_000

export const isGranted = ({ data, token }: LoginAnswer): boolean =>
  data.code === OK && Boolean(token)

/** Starts the session in this tab. */
export function enter({ data, token }: LoginAnswer, ipAddress: string): void {
  session.set({
    isAuth: true,
    userId: data.resultid ?? '',
    username: data.resultusername ?? '',
    jwtToken: token ?? '',
    ipAddress,
    mustChange: data.mustChange === true,
  })
}

/** Navigates after a second, unless the screen is left before. */
export function useDelayedGo() {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (to: string) => {
    timer.current = setTimeout(() => void navigate(to), REDIRECT_MS)
  }
}
