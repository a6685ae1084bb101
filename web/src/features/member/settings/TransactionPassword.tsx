import { LIMITS } from '@/lib/rules/limits.ts'
import { LostTransactionPassword } from './LostTransactionPassword.tsx'
import { newPasswordScreen } from './NewPassword.tsx'

export const Component = newPasswordScreen({
  body: ({ old, next }) => ({
    type: 'trans_password',
    ctrans_password: old,
    trans_password: next,
  }),
  fields: { ctrans_password: 'old', trans_password: 'next' },
  most: LIMITS.transactionPassword,
  oldMost: LIMITS.transactionPassword,
  texts: (t) => ({
    old: t.oldTransaction,
    next: t.newTransaction,
    confirm: t.confirmTransaction,
    done: t.transactionDone,
    note: t.transactionNote,
  }),
  more: () => <LostTransactionPassword />,
})
