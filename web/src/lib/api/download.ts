import { answerOf } from './answer.ts'
import { api } from './client.ts'

export type ExportFormat = 'csv' | 'xlsx' | 'pdf'

type AnyGet = (
  path: string,
  init: { params: { query: Record<string, string> }; parseAs: 'blob' },
) => Promise<{ data?: Blob; error?: unknown; response: Response }>

const nameIn = (header: string | null) => /filename="?([^";]+)"?/.exec(header ?? '')?.[1]

/**
 * Fetches a file with the session's token, which a plain link would not send, and hands it to the
 * browser to save. Throws a Refusal if the server answers none.
 */
export async function download(
  path: string,
  query: Record<string, string>,
  client: { GET: unknown } = api,
): Promise<void> {
  let name = `${path.split('/').pop()}.${query.format ?? 'csv'}`
  const call = (client.GET as AnyGet)(path, { params: { query }, parseAs: 'blob' })
  const file = await answerOf(call)
  name = nameIn((await call).response.headers.get('Content-Disposition')) ?? name
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
