import { RequestError } from '../errors.ts'
import { term } from '../strings/speech.ts'
import { fieldErrorsOf, isProblem } from './problem.ts'

/** A call that the server answered with a problem. `message` may be shown. */
export class Refusal extends RequestError {
  constructor(
    message: string,
    status: number,
    requestId: string | undefined,
    /** What is wrong with each field. */
    readonly fields: Record<string, string>,
    /** After how many seconds the server may be asked again, if it said so. */
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

/** What to tell people about anything thrown; `otherwise` if it says nothing itself. */
export function wordsOf(error: unknown, otherwise: string): string {
  return error instanceof Refusal && error.message !== '' ? term(error.message) : otherwise
}

/** The data of a call's answer. */
export const dataOf = async <T>(call: Promise<Outcome<{ data: T }>>): Promise<T> =>
  (await answerOf(call)).data

export interface List<Row> {
  rows: Row[]
  /** How many rows there are on all pages. */
  total: number
  /** What the heading's total says, over all pages. */
  sum?: string | undefined
  /** There may be more than the total says. */
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
