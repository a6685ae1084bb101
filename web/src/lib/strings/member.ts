import { english, others } from 'messages:member'
import { lazyTexts } from './language.ts'

/** The texts of the member screens. Only modules that load with them may import this file. */
export const { use: useMemberStrings, open: openTexts } = lazyTexts(english, others)

export type MemberStrings = ReturnType<typeof useMemberStrings>
