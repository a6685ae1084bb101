import { expect } from '@playwright/test'
import { outboxOf } from './server.ts'

export interface Letter {
  to: string
  subject: string
  text: string
}

/** Letters of a demo's outbox, which has the newest first. */

/** The newest letter to somebody whose text matches; it may still be on its way. */
export async function letterTo(url: string, to: string, about: RegExp): Promise<Letter> {
  let found: Letter | undefined
  await expect
    .poll(async () => {
      const response = await fetch(outboxOf(url))
      const letters = (await response.json()) as Letter[]
      found = letters.find((letter) => letter.to.includes(to) && about.test(letter.text))
      return found !== undefined
    })
    .toBe(true)
  if (!found) throw new Error(`No letter to ${to}`)
  return found
}

/** What the newest letter to somebody says at a place: where the pattern has a group. */
export async function mailed(url: string, to: string, place: RegExp): Promise<string> {
  const { text } = await letterTo(url, to, place)
  return place.exec(text)?.[1] ?? ''
}

/** The first link of a letter that leads to an address. */
export function linkIn({ text }: Letter, path: string): string {
  // Long links are broken by nothing but white space.
  const link = text.match(/https?:\/\/\S+/g)?.find((candidate) => candidate.includes(path))
  if (!link) throw new Error(`The letter has no link to ${path}:\n${text}`)
  return link
}
