import { english, others } from 'messages:member'
import { lazyTexts } from './language.ts'

/** What the member screens say. Only what is loaded with them may import this file. */
export const { use: useMemberStrings, open: openTexts } = lazyTexts(english, others)

export type MemberStrings = ReturnType<typeof useMemberStrings>
