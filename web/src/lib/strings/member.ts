import { memberTexts } from './en/index.member.ts'
import { lazyTexts } from './language.ts'

export type MemberTexts = typeof memberTexts

/** What the member screens say. Only what is loaded with them may import this file. */
export const { use: useMemberStrings, open: openTexts } = lazyTexts(memberTexts, {
  hi: async () => (await import('./hi/index.member.ts')).memberTexts,
})

export type MemberStrings = ReturnType<typeof useMemberStrings>
