import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { treeOf } from '../../../vite/messages.ts'

const root = `${process.cwd()}/../`

/** The server's texts: the Go sources without tests, and the default plan. */
const program = readdirSync(`${root}internal/`, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!_test)\.go$|(^|\/)plan\/[^/]*\.json$/.test(file))
  .map((file) => readFileSync(`${root}internal/${file}`, 'utf8'))
  .join('\n')

const keysOf = (part: string, group: string) =>
  Object.keys(treeOf(`${root}messages`, 'en', part)[group] ?? {})

/** The name of the Robot fund on a screen; the other names are composed. */
const OURS = ['ROBOTFUND', 'setting', 'erasure', 'payout']

function isSaid(key: string): boolean {
  const text = key.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return OURS.includes(key) || new RegExp(`[",]${text}[",]`).test(program)
}

it('knows only what the program says', () => {
  const keys = [...keysOf('site', 'terms'), ...keysOf('console', 'moves')]
  expect(keys.filter((key) => !isSaid(key))).toEqual([])
})

it('knows only acts that the program records, some as what and what became of it', () => {
  const strange = keysOf('console', 'acts').filter(
    (act) => !isSaid(act) && !act.split(/[ .]/).every(isSaid),
  )
  expect(strange).toEqual([])
})
