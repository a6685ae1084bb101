import { RequestError } from '../errors.ts'
import { term } from '../strings/serverText.ts'
import { fieldErrorsOf, isProblem } from './problem.ts'

/** The server answered a call with a problem. `message` may be shown to the user. */
export class Refusal extends RequestError {
  constructor(
    message: string,
    status: number,
    requestId: string | undefined,
    /** The error of each field, by the field's name. */
    readonly fields: Record<string, string>,
    /** The seconds to wait before the next try, from the Retry-After header. */
    readonly retryAfter?: number,
  ) {
    super(message, status, requestId)
  }
}

interface Outcome<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * The body of a call's answer. Throws a Refusal if the server answered a problem, and whatever
 * fetch throws if nothing answered.
 */
export async function answerOf<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call
  if (response.ok && data !== undefined) return data
  const problem = isProblem(error) ? error : undefined
  throw new Refusal(
    problem?.showableMessage ?? '',
    response.status,
    problem?.request_id,
    fieldErrorsOf(error),
    secondsOf(response.headers.get('Retry-After')),
  )
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined
}

/** The text to show for an error: the server's, or `otherwise` if it has none. */
export function errorText(error: unknown, otherwise: string): string {
  return error instanceof Refusal && error.message !== '' ? term(error.message) : otherwise
}

/** The data of a call's answer. */
export const dataOf = async <T>(call: Promise<Outcome<{ data: T }>>): Promise<T> =>
  (await answerOf(call)).data

export interface List<Row> {
  rows: Row[]
  /** The number of rows on all pages. */
  total: number
  /** The sum over all pages, shown beside the heading. */
  sum?: string | undefined
  /** The search did not look at everything, so there may be more rows than `total`. */
  partial?: boolean | undefined
}

interface Listing<Row> {
  data: (Row[] | null)[]
  total?: number
  sum?: string
  partial?: boolean
}

/** Reports answer `{"data":[[…rows…]],"total":…}`. */
export async function listOf<Row>(call: Promise<Outcome<Listing<Row>>>): Promise<List<Row>> {
  const { data, total, sum, partial } = await answerOf(call)
  const rows = data[0] ?? []
  return { rows, total: total ?? rows.length, sum, partial }
}
