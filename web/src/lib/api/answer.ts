import { RequestError } from '../errors.ts'
import { fieldErrorsOf, isProblem, messageOf, type Problem } from './problem.ts'

/** A call was refused: by a problem of the server, or with a text of the page. */
export class Refusal extends RequestError {
  constructor(
    message: string,
    status: number,
    readonly problem?: Problem,
    /** The seconds to wait before the next try, from the Retry-After header. */
    readonly retryAfter?: number,
  ) {
    super(message, status, problem?.request_id)
  }

  /** The code of the problem, which says what happened; empty without a problem. */
  get code(): string {
    return this.problem?.code ?? ''
  }

  /** The error of each field, by the field's name. */
  get fields(): Record<string, string> {
    return this.problem ? fieldErrorsOf(this.problem) : {}
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
  const retryAfter = secondsOf(response.headers.get('Retry-After'))
  throw new Refusal('', response.status, isProblem(error) ? error : undefined, retryAfter)
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined
}

/** The text to show for an error: that of the refusal, or `otherwise` if it has none. */
export function errorText(error: unknown, otherwise: string): string {
  if (!(error instanceof Refusal)) return otherwise
  return (error.problem ? messageOf(error.problem) : error.message) || otherwise
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
  /** The part of the sum that reached the member, for a list of withdrawals. */
  paid?: string | undefined
  /** The search did not look at everything, so there may be more rows than `total`. */
  partial?: boolean | undefined
}

interface Listing<Row> {
  data: (Row[] | null)[]
  total?: number
  sum?: string
  paid?: string
  partial?: boolean
}

/** Reports answer `{"data":[[…rows…]],"total":…}`. */
export async function listOf<Row>(call: Promise<Outcome<Listing<Row>>>): Promise<List<Row>> {
  const { data, total, sum, paid, partial } = await answerOf(call)
  const rows = data[0] ?? []
  return { rows, total: total ?? rows.length, sum, paid, partial }
}
