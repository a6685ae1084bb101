import { hierarchy, tree } from 'd3-hierarchy'
import { formatDate, zone } from '@/lib/dates.ts'
import type { Place } from '@/lib/queries/binaryTree.ts'

/**
 * Fifteen places of the tree, as the server lists them: the children of place i are 2i+1 and
 * 2i+2. Wide pictures grow downwards; narrow ones sideways, so that a phone shows all eight
 * places of the last row at a size that can be read.
 */

export const parentOf = (index: number) => (index === 0 ? null : (index - 1) >> 1)
export const levelOf = (index: number) => Math.floor(Math.log2(index + 1))

/** The indexes from the top to a place: 0 for the top alone. */
export function lineTo(index: number): number[] {
  const parent = parentOf(index)
  return parent === null ? [index] : [...lineTo(parent), index]
}

export type Direction = 'down' | 'sideways'

export interface Spot {
  index: number
  place: Place
  x: number
  y: number
}

export interface Picture {
  direction: Direction
  width: number
  height: number
  spots: Spot[]
  /** The greatest width of a name. */
  room: number
}

/** In a narrower frame eight places side by side are unreadable. */
const WIDE = 720
const ROW = { down: 132, sideways: 66 }
/** The width of an id in the last row. */
const BELOW = 8
const LEVELS = 4
const LEAVES = 8

export function drawn(places: readonly Place[], width: number): Picture {
  const direction = width >= WIDE ? 'down' : 'sideways'
  const isDown = direction === 'down'
  const height = isDown ? ROW.down * LEVELS : ROW.sideways * LEAVES + BELOW
  const across = isDown ? width / LEAVES : ROW.sideways
  const along = isDown ? ROW.down : width / LEVELS
  const root = hierarchy(0, (index) => [2 * index + 1, 2 * index + 2].filter((i) => places[i]))
  const laidOut = tree<number>()
    .nodeSize([across, along])
    .separation(() => 1)(root)
  const spots = laidOut.descendants().flatMap(({ data: index, x, depth }) => {
    const place = places[index]
    if (!place) return []
    const main = depth * along + (isDown ? along / 2 - 20 : along / 2)
    const cross = x + (across * LEAVES) / 2
    return [{ index, place, x: isDown ? cross : main, y: isDown ? main : cross }]
  })
  return { direction, width, height, spots, room: isDown ? across : along }
}

/** The line between a place and the one above it. */
export function connector({ direction }: Picture, from: Spot, to: Spot): string {
  return direction === 'down'
    ? `M${from.x} ${from.y + 54}V${from.y + 80}H${to.x}V${to.y - 22}`
    : `M${from.x + 18} ${from.y - 8}H${(from.x + to.x) / 2}V${to.y - 8}H${to.x - 18}`
}

const KEYS: Record<Direction, Record<string, 'up' | 'in' | 'previous' | 'next'>> = {
  down: { ArrowUp: 'up', ArrowDown: 'in', ArrowLeft: 'previous', ArrowRight: 'next' },
  sideways: { ArrowLeft: 'up', ArrowRight: 'in', ArrowUp: 'previous', ArrowDown: 'next' },
}

/**
 * The place that an arrow key moves to, for the direction in which the picture grows; null for
 * none.
 */
export function moved(index: number, key: string, direction: Direction, last: number) {
  if (key === 'Home') return 0
  const level = levelOf(index)
  const move = KEYS[direction][key]
  if (move === 'up') return parentOf(index)
  const next = move === 'in' ? 2 * index + 1 : move === 'next' ? index + 1 : index - 1
  if (!move || next < 0 || next > last) return null
  return move === 'in' || levelOf(next) === level ? next : null
}

const LETTER = 6.6

/** Long names end in dots; the title has the whole name. */
export function fitted(name: string, room: number): string {
  const letters = Array.from(name)
  const most = Math.max(4, Math.floor((room - 8) / LETTER))
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join('')}…`
}

/** Dates in the tree have no time: there is little room. */
export const dateOf = (moment: string): string => (moment === '' ? '–' : formatDate(moment, zone()))

/** The sign-up link of a leg. */
export const signupLink = (sponsor: string, side: string) =>
  `/Signup?${new URLSearchParams({ userid: sponsor, Position1: side })}`
