/** A call that the server refused or failed. `requestId` is in the server's log too. */
export class RequestError extends Error {
  override readonly name = 'RequestError'

  constructor(
    message: string,
    readonly status: number,
    readonly requestId?: string,
  ) {
    super(message)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/**
 * The request id of an error, if it has one: a RequestError, or a response thrown by a route, whose
 * body the router keeps under `data`.
 */
export function requestIdOf(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined
  if (typeof error.requestId === 'string' && error.requestId !== '') return error.requestId
  return requestIdOf(error.data)
}
