import * as console from 'messages:console'
import { brands } from 'messages:languages'
import * as member from 'messages:member'
import * as site from 'messages:site'
import { renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { brand, translated } from '../brand.ts'
import { chosen, keepChoice } from '../choices.ts'
import { forgetChoices } from '../test/choices.ts'
import { chooseLanguage, LANGUAGE_KEY, lazyTexts, restoreLanguage } from './language.ts'
import { serverText, term } from './serverText.ts'

type Leaf = [path: string, value: unknown]

/** Any arguments of a message. */
const anything = new Proxy({}, { get: () => '7' })

/** Every text with its path. */
function leaves(value: unknown, path = ''): Leaf[] {
  if (typeof value !== 'object' || value === null) {
    return [[path, typeof value === 'function' ? value(anything) : value]]
  }
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path} > ${key}`))
}

const parts = { site, member, console }
const english = new Map(
  leaves(Object.entries(parts).map(([part, texts]) => ({ [part]: texts.english }))),
)
const hindi = new Map(
  leaves(
    await Promise.all(
      Object.entries(parts).map(async ([part, { others }]) => ({ [part]: await others.hi?.() })),
    ),
  ),
)
const brandTexts = (await brands.hi?.()) ?? {}
const { english: en } = site
const hi = await site.others.hi?.()

it('gives no name to two texts', () => {
  const names = Object.values(parts).flatMap((texts) => Object.keys(texts.english))
  expect(new Set(names).size).toBe(names.length)
})

it('leaves no text empty that English has', () => {
  const empty = [...english].filter(([path, text]) => text !== '' && hindi.get(path) === '')
  expect(empty).toEqual([])
})

it('is really Hindi', () => {
  const names = /^(Bifolia|© 2024 Bifolia|CSV|XLSX|PDF)$/
  const same = [...english].filter(
    ([path, text]) => text !== '' && hindi.get(path) === text && !names.test(String(text)),
  )
  expect(same).toEqual([])
})

/** Names, codes and units that are written in Latin letters everywhere, and placeholders. */
const LATIN =
  /Bifolia|BNB Smart Chain|https?|trusted_proxies|public_url|iPhone|Android|USDT|BEP-20|UTR|TRX|IFSC|PAN|OTP|QR|ROI|CSV|XLSX|PDF|ZIP|JSON|UTC|MB|IP|PIN|SHA-256|ppm|nonce|0x|id और hash|"version"|"bifolia verify( --thaw)?"|\/info\//g

it('says nothing in Latin letters that has a word in Hindi', () => {
  const latin = [...hindi].filter(
    ([, text]) => typeof text === 'string' && /[A-Za-z]{2}/.test(text.replace(LATIN, '')),
  )
  expect(latin).toEqual([])
})

const NAMES =
  /^(Bifolia|Leafswap|Two Leaves Travel|Venation|Gridleaf|Trendleaf|Folio Coin|PancakeSwap)$/
/** Texts that are not words: links, slugs, colours, numbers and values for programs. */
const NO_WORDS = /^([#/]|https:|0x|[a-z-]+$|[-+$]?[\d.,]+[%M+]?$|[$‰]$|\d{4}-)/

it('translates every text of the demo brand', () => {
  const missing = leaves(brand)
    .map(([, text]) => text)
    .filter((text): text is string => typeof text === 'string' && text !== '')
    .filter((text) => !NAMES.test(text) && !NO_WORDS.test(text))
    .filter((text) => !Object.hasOwn(brandTexts, text))
  expect(missing).toEqual([])
})

it('shows what an operator wrote as it was written', () => {
  expect(translated({}).hero.heading).toBe(brand.hero.heading)
  expect(translated({ [brand.hero.heading]: 'नमस्ते' }).hero.heading).toBe('नमस्ते')
})

beforeEach(async () => {
  await chooseLanguage('en')
  forgetChoices()
})

it('keeps the choice, and marks the page with it', async () => {
  await chooseLanguage('hi')
  expect(document.documentElement.lang).toBe('hi')
  expect(chosen(LANGUAGE_KEY)).toBe('hi')
})

it('brings the choice back, and ignores a stored value that is no language', async () => {
  keepChoice(LANGUAGE_KEY, 'toString')
  await restoreLanguage()
  expect(document.documentElement.lang).toBe('en')
  keepChoice(LANGUAGE_KEY, 'hi')
  await restoreLanguage()
  expect(document.documentElement.lang).toBe('hi')
})

it('translates the values and the messages of the server in the chosen language only', async () => {
  const refused = () => serverText('Invalid OTP !!', { code: 'withdrawal.wrong_otp' })
  await chooseLanguage('hi')
  expect([term('Pending'), refused()]).toEqual(['लंबित', 'OTP ग़लत है !!'])
  await chooseLanguage('en')
  expect([term('Pending'), refused()]).toEqual(['Pending', 'Invalid OTP !!'])
})

const part = () => lazyTexts({ word: 'leaf' }, { hi: async () => ({ word: 'पत्ती' }) })

it('opens a part in the language that is shown, and changes it with the rest', async () => {
  await chooseLanguage('hi')
  const { use, open } = part()
  await open()
  const { result, rerender } = renderHook(use)
  expect(result.current).toMatchObject({ word: 'पत्ती', language: hi?.language })
  await chooseLanguage('en')
  rerender()
  expect(result.current).toMatchObject({ word: 'leaf', language: en.language })
})

it('opens a part during a change in the language that comes', async () => {
  const { use, open } = part()
  await Promise.all([chooseLanguage('hi'), open()])
  expect(renderHook(use).result.current.word).toBe('पत्ती')
})

it('changes nothing where a part cannot follow, and goes on after that', async () => {
  const { open } = part()
  let fails = true
  const broken = lazyTexts(
    { word: 'leaf' },
    { hi: async () => (fails ? Promise.reject(new Error('gone')) : { word: 'पत्ती' }) },
  )
  await Promise.all([open(), broken.open()])
  await expect(chooseLanguage('hi')).rejects.toThrow('gone')
  expect(document.documentElement.lang).toBe('en')
  expect(renderHook(broken.use).result.current.word).toBe('leaf')
  fails = false
  await chooseLanguage('hi')
  expect(renderHook(broken.use).result.current.word).toBe('पत्ती')
})
