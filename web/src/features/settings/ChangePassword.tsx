import { LIMITS } from '@/lib/rules/limits.ts'
import { newPasswordScreen } from './NewPassword.tsx'

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
})
