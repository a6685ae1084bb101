import { expect } from '@playwright/test'
import { outboxOf } from './server.ts'

export interface Letter {
  to: string
  subject: string
  text: string
}

/** The mails of a demo's outbox, newest first. */

/** The newest mail to an address whose text matches; it may not have been sent yet. */
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

/** A part of the newest mail to an address: the pattern's group. */
export async function mailed(url: string, to: string, place: RegExp): Promise<string> {
  const { text } = await letterTo(url, to, place)
  return place.exec(text)?.[1] ?? ''
}

/** The first link of a mail to an address of the site. */
export function linkIn({ text }: Letter, path: string): string {
  // Only white space breaks long links.
  const link = text.match(/https?:\/\/\S+/g)?.find((candidate) => candidate.includes(path))
  if (!link) throw new Error(`The letter has no link to ${path}:\n${text}`)
  return link
}
