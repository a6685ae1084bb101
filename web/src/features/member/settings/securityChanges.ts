import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import type { PasskeyWords } from '@/lib/passkey.ts'
import { refreshAccount } from '@/lib/queries/account.ts'
import { addPasskey, type Proof } from '@/lib/queries/factor.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

type Schemas = components['schemas']
export type Passkey = Schemas['PasskeyRow']

/** The result of a change: a secret to scan, codes to save, or nothing. */
export type Next =
  | { stage: 'scan'; secret: string; uri: string }
  | { stage: 'codes'; codes: readonly string[] }
  | { stage: 'end' }

/** A change of the account's protection, as data. */
export interface Change {
  title: string
  text: string
  /** The text of the button. */
  confirm: string
  /** The toast's text; empty if another step follows. */
  done: string
  /** The default name of the passkey, for a change that asks for one. */
  name?: string
  /** A name does not affect access, so no proof is needed. */
  unproved?: boolean
  /** Asks for an e-mail address. */
  email?: boolean
  /** Accepts the transaction password too. */
  pin?: boolean
  /** `entered` is the name or the address. */
  call: (proof: Proof, entered: string, key: string, pin: string) => Promise<Next>
}

const END: Next = { stage: 'end' }

const ended = async (call: Promise<unknown>) => {
  await call
  return END
}

export const setUpApp = ({ security: t }: MemberStrings, replaces: boolean): Change => ({
  title: replaces ? t.replaceApp : t.setUpApp,
  text: replaces ? t.replaceAppText : t.setUpAppText,
  confirm: t.goOn,
  done: '',
  call: async (body) => {
    // Only repeatable calls take a key: each secret is a new one, and active once it is confirmed.
    const { data } = await answerOf(api.POST('/api/factor/begin', { body }))
    return { stage: 'scan', ...data }
  },
})

export const renewCodes = ({ security: t }: MemberStrings): Change => ({
  title: t.newCodes,
  text: t.newCodesText,
  confirm: t.newCodes,
  done: '',
  call: async (body, _, key) => {
    const { data } = await answerOf(api.POST('/api/factor/recovery', { body, ...underKey(key) }))
    return { stage: 'codes', codes: data.recovery }
  },
})

export const turnOff = ({ security: t }: MemberStrings): Change => ({
  title: t.turnOffTitle,
  text: t.turnOffText,
  confirm: t.turnOff,
  done: t.turnedOff,
  call: (body, _, key) =>
    ended(answerOf(api.POST('/api/factor/disable', { body, ...underKey(key) }))),
})

export const newPasskey = (
  { security: t }: MemberStrings,
  words: PasskeyWords,
  name: string,
): Change => ({
  title: t.addPasskey,
  text: t.addPasskeyText,
  confirm: t.goOn,
  done: t.passkeyAdded,
  name,
  call: async (proof, called, key) => {
    const { data } = await addPasskey(called, proof, key, words)
    return data.recovery.length > 0 ? { stage: 'codes', codes: data.recovery } : END
  },
})

export const rename = ({ security: t }: MemberStrings, { id, name }: Passkey): Change => ({
  title: t.renameTitle,
  text: t.renameText,
  confirm: t.rename,
  done: t.renamed,
  name,
  unproved: true,
  call: (_, called, key) =>
    ended(
      answerOf(
        api.POST('/api/factor/passkeys/rename', { body: { id, name: called }, ...underKey(key) }),
      ),
    ),
})

export const remove = (
  { security: t }: MemberStrings,
  { id, name }: Passkey,
  last: boolean,
): Change => ({
  title: t.removeOf({ name }),
  text: last ? t.removeLastText : t.removeText,
  confirm: t.remove,
  done: t.removed,
  call: (proof, _, key) =>
    ended(
      answerOf(
        api.POST('/api/factor/passkeys/remove', { body: { id, ...proof }, ...underKey(key) }),
      ),
    ),
})

export const mailTransactionPassword = ({ settings: t }: MemberStrings, email: string): Change => ({
  title: t.transactionMailTitle,
  text: t.transactionMailText,
  confirm: t.transactionMail,
  done: t.transactionMailed({ email }),
  call: async (body, _, key) => {
    await answerOf(api.POST('/api/transactionPassword/send', { body, ...underKey(key) }))
    await refreshAccount()
    return END
  },
})

export const removeUndo = ({ security: t }: MemberStrings): Change => ({
  title: t.undoRemoveTitle,
  text: t.undoRemoveText,
  confirm: t.undoRemove,
  done: t.undoRemoved,
  pin: true,
  call: async (proof, _, key, transactionPassword) => {
    const body = { ...proof, transactionPassword }
    await answerOf(api.POST('/api/email/keep', { body, ...underKey(key) }))
    await refreshAccount()
    return END
  },
})

/** Replaces an address that was mistyped at sign-up and never confirmed. */
export const correctEmail = ({ security: t }: MemberStrings): Change => ({
  title: t.correctTitle,
  text: t.correctText,
  confirm: t.correctConfirm,
  done: t.corrected,
  email: true,
  call: async (proof, email, key) => {
    await answerOf(api.POST('/api/email/correct', { body: { ...proof, email }, ...underKey(key) }))
    await refreshAccount()
    return END
  },
})
