import { saveFile } from '../save.ts'
import { answerOf } from './answer.ts'
import { api } from './client.ts'

export type ExportFormat = 'csv' | 'xlsx' | 'pdf'

type AnyGet = (
  path: string,
  init: { params: { query: Record<string, string> }; parseAs: 'blob' },
) => Promise<{ data?: Blob; error?: unknown; response: Response }>

/** The file's name from the server; letters beyond ASCII are encoded as in RFC 6266. */
function nameIn(header: string | null): string | undefined {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(header ?? '')?.[1]
  return encoded ? decodeURIComponent(encoded) : /filename="?([^";]+)"?/.exec(header ?? '')?.[1]
}

/**
 * Fetches a file with the session's token, which a plain link would not send, and saves it. Throws
 * a Refusal if the server answers a problem.
 */
export async function download(
  path: string,
  query: Record<string, string>,
  client: { GET: unknown } = api,
): Promise<void> {
  const name = `${path.split('/').pop()}.${query.format ?? 'csv'}`
  await saveAnswer((client.GET as AnyGet)(path, { params: { query }, parseAs: 'blob' }), name)
}

/** Saves the file of an answer under the name that the server gives it. */
export async function saveAnswer(
  call: Promise<{ data?: Blob; error?: unknown; response: Response }>,
  otherwise: string,
): Promise<void> {
  const file = await answerOf(call)
  const name = nameIn((await call).response.headers.get('Content-Disposition')) ?? otherwise
  saveFile(name, file)
}
