import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  faultsOf,
  languagesIn,
  moduleOf,
  PARTS,
  SERVER_PARTS,
  type Tree,
  treeOf,
  typesOf,
} from './messages.ts'

const OURS = join(process.cwd(), '../messages')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'messages-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, tree: Tree) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), JSON.stringify(tree))
}

/** The text of a message in a language, with arguments if it takes some. */
async function said(message: string, args?: object, language = 'en'): Promise<unknown> {
  const code = encodeURIComponent(moduleOf({ group: { message } }, language))
  const { default: texts } = await import(/* @vite-ignore */ `data:text/javascript,${code}`)
  return args ? texts.group.message(args) : texts.group.message
}

const ALL_PARTS = [...PARTS, ...SERVER_PARTS]

it.each(
  languagesIn(OURS).flatMap((language) => ALL_PARTS.map((part) => [language, part] as const)),
)('has the keys and arguments of English in %s/%s', (language, part) =>
  expect(faultsOf(OURS, language, part)).toEqual([]),
)

it('says a message without arguments as a string', async () => {
  const text = "The member's own `price`: $'{'5'}' \\ day"
  expect(await said(text)).toBe(`The member's own \`price\`: \${5} \\ day`)
})

it('says arguments by their names', async () => {
  expect(await said('{amount} to {name}', { name: 'Ada', amount: '$5' })).toBe('$5 to Ada')
})

it('chooses a plural by the rules of the language', async () => {
  const days = '{n, plural, =0 {today} one {one: {n}} other {other: {n}}}'
  expect(await said(days, { n: 0 })).toBe('today')
  expect(await said(days, { n: 1 })).toBe('one: 1')
  expect(await said(days, { n: 5 })).toBe('other: 5')
  expect(await said('{n, plural, one {एक} other {कई}}', { n: 0 }, 'hi')).toBe('एक')
})

it('chooses by a name', async () => {
  const side = '{side, select, left {the left leg} other {a leg}}'
  expect(await said(side, { side: 'left' })).toBe('the left leg')
  expect(await said(side, { side: 'toString' })).toBe('a leg')
})

it('refuses a message that it cannot say, and names it', () => {
  expect(() => moduleOf({ group: { wrong: 'Hello {name' } }, 'en')).toThrow('en.group.wrong')
  expect(() => moduleOf({ group: { date: '{day, date}' } }, 'en')).toThrow('en.group.date')
})

it('refuses a group that two files have', () => {
  write('en/site/one.json', { group: { a: 'a' } })
  write('en/site/two.json', { group: { b: 'b' } })
  expect(() => treeOf(folder, 'en', 'site')).toThrow('group')
})

it('finds missing and unknown keys, other arguments and other files', () => {
  write('en/site/one.json', { group: { a: 'a', b: '{n} b', c: 'c' } })
  write('hi/site/one.json', { group: { a: 'a', b: '{m} b', d: 'd' } })
  expect(faultsOf(folder, 'hi', 'site')).toEqual([
    'messages/hi/site/one.json group.c is missing',
    'messages/hi/site/one.json group.d is not in English',
    'messages/hi/site/one.json group.b takes other arguments than in English',
  ])
  write('hi/site/two.json', {})
  expect(faultsOf(folder, 'hi', 'site')).toContain('messages/hi/site/two.json is not in English')
})

it('takes a number where any language has a plural of it', () => {
  for (const part of PARTS) {
    write(`en/${part}/one.json`, { group: { days: '{n} days of {name}' } })
    write(`hi/${part}/one.json`, { group: { days: '{n, plural, other {{n} दिन {name}}}' } })
  }
  for (const language of ['en', 'hi']) write(`${language}/language.json`, {})
  expect(typesOf(folder)).toContain('days: (args: { n: number; name: Shown }) => string')
})
