import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type MessageFormatElement,
  type PluralOrSelectOption,
  parse,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'

/**
 * The texts of the screens, messages/<language>/<part>/<feature>.json in ICU MessageFormat, as
 * modules: a message without arguments is a string, one with arguments a function of them. They are
 * compiled here, so the browser gets no parser.
 *
 *   messages:languages          name and locale of every language, and its texts of the brand
 *   messages:<part>             the part in English, and how to fetch it in the other languages
 *   messages:<language>/<part>  the part in one language
 *   messages:errors             how to fetch the server's messages by code, messages/<language>/
 *                               errors.json, in the other languages: in English the server writes
 *                               them, so that a translation may be missing
 */

export interface Tree {
  [key: string]: string | Tree
}

/** The parts, each of which is fetched as one: for everybody, for members, for operators. */
export const PARTS = ['site', 'member', 'console']

/** The folder and the file that only the server reads, in its package messages. */
export const SERVER_PARTS = ['mail', 'files.json']

const ERRORS = 'errors'

const SOURCE = 'en'

export const languagesIn = (folder: string): string[] =>
  readdirSync(folder)
    .sort()
    .filter((name) => existsSync(join(folder, name, 'language.json')))

const othersIn = (folder: string) => languagesIn(folder).filter((name) => name !== SOURCE)

const read = (...path: string[]): Tree => JSON.parse(readFileSync(join(...path), 'utf8'))

/** The files of a part from the language's folder on. */
const filesOf = (folder: string, language: string, part: string): string[] =>
  part.endsWith('.json')
    ? [part]
    : readdirSync(join(folder, language, part))
        .sort()
        .map((file) => `${part}/${file}`)

/** Merges the files of a part into one tree; two files must not have the same group. */
export function treeOf(folder: string, language: string, part: string): Tree {
  const tree: Tree = {}
  for (const file of filesOf(folder, language, part)) {
    for (const [group, texts] of Object.entries(read(folder, language, file))) {
      if (Object.hasOwn(tree, group)) throw new Error(`${file}: another file has ${group} too`)
      tree[group] = texts
    }
  }
  return tree
}

/** The types of a message's arguments: number for a plural, string for a select. */
export type Args = Record<string, string>

const optionsOf = (options: Record<string, PluralOrSelectOption>) => Object.entries(options)

function collect(elements: readonly MessageFormatElement[], args: Args): Args {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
        break
      case TYPE.argument:
        args[element.value] ??= 'Shown'
        break
      case TYPE.plural:
        if (element.pluralType !== 'cardinal' || element.offset !== 0) {
          throw new Error('plurals with an offset, and ordinal ones, are not supported')
        }
        args[element.value] = 'number'
        for (const [, { value }] of optionsOf(element.options)) collect(value, args)
        break
      case TYPE.select:
        args[element.value] = 'string'
        for (const [, { value }] of optionsOf(element.options)) collect(value, args)
        break
      default:
        throw new Error('only {name}, plural and select are supported; write {count} for #')
    }
  }
  return args
}

const elementsOf = (message: string) => parse(message, { ignoreTag: true })

export const argsOf = (message: string): Args => collect(elementsOf(message), {})

/** The content of a template literal. */
const template = (elements: readonly MessageFormatElement[]): string =>
  elements
    .map((element) => {
      if (element.type === TYPE.literal) return element.value.replace(/[`\\]|\$(?=\{)/g, '\\$&')
      if (element.type === TYPE.argument) return `\${a.${element.value}}`
      if (element.type !== TYPE.plural && element.type !== TYPE.select) return ''
      const forms = optionsOf(element.options).map(
        ([name, { value }]) => `${JSON.stringify(name)}:\`${template(value)}\``,
      )
      const choose = element.type === TYPE.plural ? 'plural' : 'select'
      return `\${${choose}(a.${element.value},{${forms}})}`
    })
    .join('')

function compile(value: string | Tree, path: string): string {
  if (typeof value !== 'string') {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${JSON.stringify(key)}:${compile(inner, `${path}.${key}`)}`,
    )
    return `{${entries.join(',\n')}}`
  }
  try {
    const elements = elementsOf(value)
    const takes = Object.keys(collect(elements, {})).length > 0
    return takes ? `(a)=>\`${template(elements)}\`` : `\`${template(elements)}\``
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** The module of one part in one language. */
export const moduleOf = (tree: Tree, language: string): string => `
const rules = /* @__PURE__ */ new Intl.PluralRules('${language}')
const plural = (n, forms) => forms['=' + n] ?? forms[rules.select(n)] ?? forms.other
const select = (name, forms) => (Object.hasOwn(forms, name) ? forms[name] : forms.other)
export default ${compile(tree, language)}
`

/** Every text of a part by its path. */
function placesOf(folder: string, language: string, part: string): Map<string, string> {
  const places = new Map<string, string>()
  const walk = (place: string, tree: Tree) => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') places.set(place + key, value)
      else walk(`${place}${key}.`, value)
    }
  }
  for (const file of filesOf(folder, language, part)) {
    places.set(file, '')
    walk(`${file} `, read(folder, language, file))
  }
  return places
}

const namesOf = (message: string) => Object.keys(argsOf(message)).sort().join()

/** The differences of a language from English in files, keys or arguments. */
export function faultsOf(folder: string, language: string, part: string): string[] {
  const source = placesOf(folder, SOURCE, part)
  const other = placesOf(folder, language, part)
  const missing = [...source.keys()].filter((place) => !other.has(place))
  const strange = [...other.keys()].filter((place) => !source.has(place))
  const unlike = [...source].filter(([place, text]) => {
    const told = other.get(place)
    return told !== undefined && namesOf(text) !== namesOf(told)
  })
  const at = (place: string) => `messages/${language}/${place}`
  return [
    ...missing.map((place) => `${at(place)} is missing`),
    ...strange.map((place) => `${at(place)} is not in English`),
    ...unlike.map(([place]) => `${at(place)} takes other arguments than in English`),
  ]
}

const nameOf = (key: string) => (/^[A-Za-z]\w*$/.test(key) ? key : JSON.stringify(key))

/** The type of a text, or of a group of texts. */
function typeOf(values: readonly (string | Tree)[], indent: string): string {
  const [value] = values
  if (typeof value === 'object') {
    const inner = `${indent}  `
    const lines = Object.keys(value).map((key) => {
      const below = values.flatMap((other) => (typeof other === 'object' ? (other[key] ?? []) : []))
      return `${inner}${nameOf(key)}: ${typeOf(below, inner)}\n`
    })
    return `{\n${lines.join('')}${indent}}`
  }
  const all = values.flatMap((text) => (typeof text === 'string' ? [argsOf(text)] : []))
  const args = Object.keys(all[0] ?? {}).map((name) => {
    const types = new Set(all.flatMap((other) => other[name] ?? []))
    return `${name}: ${[...types].find((type) => type !== 'Shown') ?? 'Shown'}`
  })
  return args.length === 0 ? 'string' : `(args: { ${args.join('; ')} }) => string`
}

/** The keys of the English texts; an argument is a number if any language has a plural of it. */
export function typesOf(folder: string): string {
  const parts = PARTS.map((part) => {
    const trees = [SOURCE, ...othersIn(folder)].map((language) => treeOf(folder, language, part))
    return `declare module 'messages:${part}' {
  export const english: ${typeOf(trees, '  ')}
  export const others: Record<string, () => Promise<typeof english>>
}
`
  })
  return `// Written by \`npm run messages\` from the files in messages/. Not to be edited.

type Shown = string | number

${parts.join('\n')}`
}

const lazily = (languages: readonly string[], file: string) =>
  `{${languages.map((of) => `'${of}': async () => (await import('messages:${of}/${file}')).default`)}}`

const PREFIX = 'messages:'

export function messages(folder: string): Plugin {
  function listOfLanguages(): string {
    const all = [SOURCE, ...othersIn(folder)]
    const list = all.map((language) => [language, read(folder, language, 'language.json')])
    const faults = othersIn(folder).flatMap((language) =>
      SERVER_PARTS.flatMap((part) => faultsOf(folder, language, part)),
    )
    if (faults.length > 0) throw new Error(faults.join('\n'))
    const branded = all.filter((language) => existsSync(join(folder, language, 'brand.json')))
    return `export const languages = ${JSON.stringify(Object.fromEntries(list))}
export const brands = ${lazily(branded, 'brand')}`
  }

  function moduleAt(place: string): string {
    const [language = '', part] = place.split('/')
    if (place === 'languages') return listOfLanguages()
    if (place === ERRORS) return `export const others = ${lazily(othersIn(folder), ERRORS)}`
    if (!part) {
      return `export { default as english } from 'messages:${SOURCE}/${place}'
export const others = ${lazily(othersIn(folder), place)}`
    }
    if (part === 'brand') {
      return `export default ${JSON.stringify(read(folder, language, 'brand.json'))}`
    }
    if (part === ERRORS) return moduleOf(read(folder, language, 'errors.json'), language)
    const faults = faultsOf(folder, language, part)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return moduleOf(treeOf(folder, language, part), language)
  }

  return {
    name: 'messages',
    resolveId: { filter: { id: /^messages:/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0messages:/ },
      handler(id) {
        for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (file.endsWith('.json')) this.addWatchFile(join(folder, file))
        }
        return moduleAt(id.slice(PREFIX.length + 1))
      },
    },
  }
}
