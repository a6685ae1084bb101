import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { words } from './hi/terms.ts'

/** The program's own texts: Go's sources without tests, and the plan that everybody begins with. */
function programTexts(): string {
  const folder = `${process.cwd()}/../internal/`
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!_test)\.go$|^plan\/.*\.json$/.test(file))
    .map((file) => readFileSync(folder + file, 'utf8'))
    .join('\n')
}

it('knows only what the program says', () => {
  const program = programTexts()
  // The first is a screen's name of the Robot fund; the others are put together with what was done.
  const ours = ['ROBOTFUND', 'setting', 'erasure']
  const strange = Object.keys(words).filter((key) => {
    const text = key.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll('{}', '.*?')
    return !ours.includes(key) && !new RegExp(`[",]${text}[",]`).test(program)
  })
  expect(strange).toEqual([])
})
