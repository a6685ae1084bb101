import type { Mode, Palette, Theme } from './theme.ts'

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function variables(prefix: string, values: object): string[] {
  return Object.entries(values).map(([name, value]) => `--${prefix}-${kebab(name)}: ${value};`)
}

function paletteVariables(palette: Palette): string[] {
  const fills = Object.entries(palette.fills).flatMap(([name, fill]) => [
    `--fill-${name}: ${fill.base};`,
    `--fill-${name}-hover: ${fill.hover};`,
    `--on-${name}: ${fill.on};`,
  ])
  return [
    ...variables('bg', palette.backgrounds),
    ...variables('text', palette.texts),
    ...fills,
    ...variables('line', palette.lines),
    ...variables('art', palette.art),
    ...variables('series', palette.series),
    ...variables('shadow', palette.shadows),
  ]
}

function block(selector: string, lines: string[]): string {
  return `${selector} {\n  ${lines.join('\n  ')}\n}\n`
}

/**
 * The theme as CSS variables. The `data-theme` attribute of the root element is the visitor's
 * choice; without it the system's preference applies.
 */
export function themeStylesheet(theme: Theme): string {
  const mode = (name: Mode) => [`color-scheme: ${name};`, ...paletteVariables(theme.modes[name])]
  const constant = [
    ...variables('radius', theme.radius),
    ...variables('space', theme.space),
    ...variables('size', theme.size),
    ...variables('motion', theme.motion),
    ...variables('type', theme.type),
    ...variables('font', theme.font),
  ]
  return [
    block(':root', [...constant, ...mode('light')]),
    `@media (prefers-color-scheme: dark) {\n${block(":root:not([data-theme='light'])", mode('dark'))}}\n`,
    block(":root[data-theme='dark']", mode('dark')),
  ].join('')
}
