import { answerOf, errorText } from '@/lib/api/answer.ts'
import { api, newKey } from '@/lib/api/client.ts'
import { underKey } from '@/lib/api/submit.ts'

/** Repeated after a failure, the same address is sent under the same key. */
const keys = new Map<string, string>()

/** Sends an address. Returns the error, or "" after a success. */
export async function subscribe(email: string, failed: string): Promise<string> {
  const key = keys.get(email) ?? newKey()
  keys.set(email, key)
  try {
    await answerOf(api.POST('/api/newsletter', { body: { email }, ...underKey(key) }))
    keys.delete(email)
    return ''
  } catch (error) {
    return errorText(error, failed)
  }
}
