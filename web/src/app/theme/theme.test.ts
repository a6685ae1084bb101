import { describe, expect, it } from 'vitest'
import { themeStylesheet } from './css.ts'
import { type Mode, theme } from './theme.ts'

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(colour: string): number {
  if (!/^#[0-9a-f]{6}$/.test(colour)) throw new Error(`Not an opaque colour: ${colour}`)
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const TEXT = 4.5
const SHAPE = 3

it('measures contrast as the standard does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

describe.each(['light', 'dark'] satisfies Mode[])('the %s theme', (mode) => {
  const { backgrounds, texts, fills, lines } = theme.modes[mode]
  const grounds = Object.entries(backgrounds)

  it.each(
    Object.entries(texts).flatMap(([text, colour]) =>
      grounds.map(([ground, under]) => ({ text, ground, colour, under })),
    ),
  )('has readable $text text on $ground', ({ colour, under }) => {
    expect(contrast(colour, under)).toBeGreaterThanOrEqual(TEXT)
  })

  it.each(Object.entries(fills))('has readable text on the %s fill, hovered too', (_, fill) => {
    expect(contrast(fill.on, fill.base)).toBeGreaterThanOrEqual(TEXT)
    expect(contrast(fill.on, fill.hover)).toBeGreaterThanOrEqual(TEXT)
  })

  it.each(grounds)('shows the primary button, controls and focus on %s', (_, under) => {
    for (const shape of [fills.primary.base, lines.control, lines.focus]) {
      expect(contrast(shape, under)).toBeGreaterThanOrEqual(SHAPE)
    }
  })

  it('shows focus on the fills', () => {
    expect(contrast(lines.focus, fills.risk.base)).toBeGreaterThanOrEqual(SHAPE)
  })
})

describe('the style sheet made from it', () => {
  const sheet = themeStylesheet(theme)

  it('defines both modes with the same variables', () => {
    const [, root = '', system = '', chosen = ''] = sheet.split(/^(?:@media.*\n)?:root/m)
    const names = (css: string) =>
      new Set([...css.matchAll(/(--[\w-]+):/g)].map(([, name]) => name))
    expect(names(system)).toEqual(names(chosen))
    expect([...names(root)]).toEqual(expect.arrayContaining([...names(system)]))
  })

  it('defines every variable the product uses, and no style names a colour of its own', () => {
    const sources = import.meta.glob<string>('/src/**/*.{css,tsx}', {
      query: '?raw',
      import: 'default',
      eager: true,
    })
    expect(Object.keys(sources).length).toBeGreaterThan(10)
    for (const [file, source] of Object.entries(sources)) {
      for (const [, name] of source.matchAll(/var\((--[\w-]+)/g)) {
        const known = sheet.includes(`${name}:`) || source.includes(`${name}:`)
        expect(known, `${file} uses ${name}`).toBe(true)
      }
      if (file.endsWith('.css')) {
        expect(source, file).not.toMatch(/#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i)
      }
    }
  })
})
