/**
 * The user's language for texts that are not messages: dates, and texts of the server. A change of
 * language renders every component that shows them again, because its other texts change too
 * (language.ts).
 */

/** Values of the server, such as states and names of wallets, with their names in a language. */
export type Terms = Readonly<Record<string, string>>

type Params = Readonly<Record<string, string>>

/** The server's messages in a language, by code. */
export type Errors = Readonly<Record<string, string | ((params: Params) => string)>>

/** The code and the parameters that accompany a message of the server. */
export interface Coded {
  code?: string
  params?: Params
}

let locale = 'en-GB'
let terms: Terms = {}
let errors: Errors = {}

export function setLocale(nextLocale: string, nextTerms: Terms, nextErrors: Errors): void {
  locale = nextLocale
  terms = nextTerms
  errors = nextErrors
}

/** The user's locale for Intl. */
export const currentLocale = (): string => locale

/**
 * A value of the server in the user's language. Unknown texts, such as those that people wrote, are
 * not changed.
 */
export const term = (value: string): string =>
  Object.hasOwn(terms, value) ? (terms[value] ?? value) : value

/** Several terms in one text: "capped, scaled". */
export const termList = (values: string): string => values.split(', ').map(term).join(', ')

/** The code of a parameter that is a message itself; its parameters are `name.<their names>`. */
const CODE = '.code'

const below = (params: Params, name: string): Params =>
  Object.fromEntries(
    Object.entries(params).flatMap(([key, value]) =>
      key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), value]] : [],
    ),
  )

function paramIn(params: Params, name: string): string {
  const message = params[name] ?? ''
  const code = params[name + CODE]
  return code === undefined
    ? term(message)
    : serverText(message, { code, params: below(params, name) })
}

/** A message of the server in the user's language: in English if its code has no translation. */
export function serverText(message: string, { code = '', params = {} }: Coded = {}): string {
  const text = Object.hasOwn(errors, code) ? errors[code] : undefined
  if (typeof text !== 'function') return text ?? message
  let complete = true
  const values = new Proxy(params, {
    get(all, name: string) {
      complete &&= Object.hasOwn(all, name)
      return paramIn(all, name)
    },
  })
  const translated = text(values)
  return complete ? translated : message
}
