/**
 * Amounts are decimal strings with up to six places and are never converted to floats, which would
 * lose micro-dollars. Any other string throws: a wrong amount on the screen is worse than an error.
 */

const AMOUNT = /^(-?)(0|[1-9]\d*)(?:\.(\d{1,6}))?$/
const PLACES = 6
/** The ledger counts in signed 64-bit micro-dollars. */
const MAX_MICROS = 2n ** 63n - 1n

interface Parts {
  negative: boolean
  whole: string
  /** Always six digits. */
  fraction: string
}

function parse(amount: string): Parts {
  const match = AMOUNT.exec(amount)
  if (!match) throw new RangeError(`Not an amount: ${JSON.stringify(amount)}`)
  const [, sign, whole = '', places = ''] = match
  const fraction = places.padEnd(PLACES, '0')
  const micros = BigInt(whole + fraction)
  if (micros > MAX_MICROS) throw new RangeError(`Amount out of range: ${amount}`)
  return { negative: sign === '-' && micros !== 0n, whole, fraction }
}

export interface MoneyFormat {
  /** `always` marks gains with a plus, for columns of changes. Zero never has a sign. */
  sign?: 'negative' | 'always'
}

/**
 * "1234.5" becomes "$1,234.50". Two places, or all six as soon as one beyond the cents is not
 * zero, so that figures in a column line up and nothing is rounded away.
 */
export function formatMoney(amount: string, { sign = 'negative' }: MoneyFormat = {}): string {
  const { negative, whole, fraction } = parse(amount)
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const places = fraction.endsWith('0000') ? fraction.slice(0, 2) : fraction
  const isZero = /^0+$/.test(whole + fraction)
  const mark = negative ? '-' : sign === 'always' && !isZero ? '+' : ''
  return `${mark}$${grouped}.${places}`
}

/**
 * For a sentence, as the server formats amounts there: two places, or more if they are not zero.
 */
export function shortMoney(amount: string): string {
  const { negative, whole, fraction } = parse(amount)
  return `${negative ? '-' : ''}${whole}.${fraction.replace(/0{1,4}$/, '')}`
}

const toMicros = (amount: string): bigint => {
  const { negative, whole, fraction } = parse(amount)
  const micros = BigInt(whole + fraction)
  return negative ? -micros : micros
}

function fromMicros(micros: bigint): string {
  const digits = (micros < 0n ? -micros : micros).toString().padStart(PLACES + 1, '0')
  const fraction = digits.slice(-PLACES).replace(/0+$/, '')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`
}

/** Without trailing zeros, as the server writes its limits: "60.000000" becomes "60". */
export const plainMoney = (amount: string): string => fromMicros(toMicros(amount))

/** The first amount minus the others, exactly. */
export function minus(amount: string, ...others: string[]): string {
  return fromMicros(others.reduce((rest, other) => rest - toMicros(other), toMicros(amount)))
}

/** The exact sum. */
export function plus(...amounts: string[]): string {
  return fromMicros(amounts.reduce((sum, amount) => sum + toMicros(amount), 0n))
}

/** The ratio of two amounts, for drawing only; 0 if the second is zero. */
export function partOf(part: string, whole: string): number {
  const all = toMicros(whole)
  const one = toMicros(part)
  if (all === 0n) return one > 0n ? Number.POSITIVE_INFINITY : 0
  return Number((one * 1_000_000n) / all) / 1_000_000
}

const PPM = 1_000_000n

/** Parts per million of an amount, rounded down to a micro-dollar. */
export function share(amount: string, ppm: number): string {
  return fromMicros((toMicros(amount) * BigInt(ppm)) / PPM)
}

/** The sign of an amount: -1, 0 or 1. */
export function signOf(amount: string): -1 | 0 | 1 {
  const micros = toMicros(amount)
  return micros === 0n ? 0 : micros < 0n ? -1 : 1
}

/** Whether a typed text is an amount. */
export const isAmount = (text: string): boolean => {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}
