import { Alert } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { useNavigate } from 'react-router'
import { session } from '@/lib/api/session.ts'
import { LIMITS } from '@/lib/rules/limits.ts'
import { useSession } from '@/lib/session.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { newPasswordScreen } from './NewPassword.tsx'
import styles from './Settings.module.css'

export const Component = newPasswordScreen({
  body: ({ old, next, otp }) => ({ type: 'password', cpassword: old, password: next, otp }),
  fields: { cpassword: 'old', password: 'next' },
  most: LIMITS.password,
  oldMost: LIMITS.loginPassword,
  texts: (t) => ({
    old: t.oldPassword,
    next: t.newPassword,
    confirm: t.confirmPassword,
    done: t.passwordDone,
    note: t.passwordNote,
  }),
  notice: () => <Temporary />,
  useDone: useOpenDashboard,
})

/** The notice that the temporary password must be changed first. */
function Temporary() {
  const { settings: t } = useMemberStrings()
  if (!useSession().mustChange) return null
  return (
    <Alert
      variant="default"
      title={t.temporaryTitle}
      icon={<KeyRound size={20} aria-hidden="true" />}
      className={styles.temporary ?? ''}
    >
      {t.temporaryText}
    </Alert>
  )
}

/** After the change all screens are open; the dashboard is next. */
function useOpenDashboard() {
  const navigate = useNavigate()
  return () => {
    if (!session.get().mustChange) return undefined
    session.set({ mustChange: false })
    return navigate('/dashboard')
  }
}
