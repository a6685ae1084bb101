/**
 * The look of the product. Colours are grouped by use, not by hue, so that a test can check every
 * text for WCAG AA on every background that it may have, in both modes. `css.ts` turns this into
 * CSS variables; nothing else names a colour.
 */

/** Text colours, each readable on every background of its mode. */
interface Texts {
  body: string
  muted: string
  link: string
  positive: string
  negative: string
}

/** A filled area with its own text on it. `hover` carries the same text. */
interface Fill {
  base: string
  hover: string
  on: string
}

export interface Palette {
  backgrounds: { page: string; surface: string; band: string }
  texts: Texts
  /** `deep` is the dark band that ends or divides a public page. */
  fills: { primary: Fill; risk: Fill; deep: Fill }
  /** `hairline` is decoration; `control` and `focus` must be visible (3:1). */
  lines: { hairline: string; control: string; focus: string }
  /** Illustration only: never text, and never the only carrier of a meaning. */
  art: { leafLeft: string; leafRight: string; veinLeft: string; veinRight: string; rule: string }
  /** Areas of charts; each has a label. */
  series: Record<
    | 'level'
    | 'matching'
    | 'roi'
    | 'roiCrypto'
    | 'roiLevel'
    | 'roiLevelCrypto'
    | 'rank'
    | 'reward'
    | 'salary'
    | 'royalty',
    string
  >
  /** What lies above the page: a card that can be pressed, and a dialog or a menu. */
  shadows: { raised: string; floating: string }
}

export type Mode = 'light' | 'dark'

export interface Theme {
  modes: Record<Mode, Palette>
  radius: Record<string, string>
  space: Record<string, string>
  /** Heights of what can be pressed or typed into. The console sets smaller ones (Console.module.css). */
  size: Record<'field' | 'button' | 'small', string>
  motion: Record<'fast' | 'slow', string>
  type: Record<string, string>
  font: Record<string, string>
}

const light: Palette = {
  backgrounds: { page: '#f7f9f8', surface: '#ffffff', band: '#eaf0ed' },
  texts: {
    body: '#10211d',
    muted: '#485b55',
    link: '#0a5f4d',
    positive: '#0a6537',
    negative: '#a3201c',
  },
  fills: {
    primary: { base: '#0b5f4c', hover: '#084a3b', on: '#ffffff' },
    risk: { base: '#fbf3e2', hover: '#f6eacf', on: '#523800' },
    deep: { base: '#07382d', hover: '#0b4a3b', on: '#eaf7f1' },
  },
  lines: { hairline: '#d5dfda', control: '#6f827b', focus: '#0b57d0' },
  art: {
    leafLeft: '#0f6b55',
    leafRight: '#9cc9b6',
    veinLeft: '#bfe3d4',
    veinRight: '#0f5443',
    rule: '#d5dfda',
  },
  series: {
    level: '#0f6b55',
    matching: '#4f9d88',
    roi: '#c2973f',
    roiCrypto: '#e0c485',
    roiLevel: '#4a7396',
    roiLevelCrypto: '#9dbad1',
    rank: '#a9664d',
    reward: '#d6a088',
    salary: '#5c7380',
    royalty: '#8a7a9e',
  },
  shadows: {
    raised: '0 1px 2px rgb(16 33 29 / 6%), 0 4px 12px rgb(16 33 29 / 6%)',
    floating: '0 2px 6px rgb(16 33 29 / 8%), 0 16px 48px rgb(16 33 29 / 16%)',
  },
}

const dark: Palette = {
  backgrounds: { page: '#0a110f', surface: '#15221e', band: '#1b2c26' },
  texts: {
    body: '#e7f0ec',
    muted: '#a6b8b1',
    link: '#74d5b7',
    positive: '#74d59d',
    negative: '#ff9d94',
  },
  fills: {
    primary: { base: '#35a586', hover: '#4ab897', on: '#04140f' },
    risk: { base: '#2a2212', hover: '#352b17', on: '#f4dcab' },
    deep: { base: '#06241d', hover: '#0a3329', on: '#e2f3ec' },
  },
  lines: { hairline: '#2c3e37', control: '#768b82', focus: '#8ab4ff' },
  art: {
    leafLeft: '#1c7d64',
    leafRight: '#a7d3c0',
    veinLeft: '#c6e9db',
    veinRight: '#0d4a3b',
    rule: '#22312c',
  },
  series: {
    level: '#3fae8f',
    matching: '#a3d9c6',
    roi: '#d9ab55',
    roiCrypto: '#f0d9a3',
    roiLevel: '#6b9bc4',
    roiLevelCrypto: '#b5d0e6',
    rank: '#c98468',
    reward: '#ebb9a3',
    salary: '#93a9b5',
    royalty: '#b3a1c9',
  },
  shadows: {
    raised: '0 1px 2px rgb(0 0 0 / 40%), 0 4px 12px rgb(0 0 0 / 30%)',
    floating: '0 2px 6px rgb(0 0 0 / 50%), 0 16px 48px rgb(0 0 0 / 50%)',
  },
}

export const theme: Theme = {
  modes: { light, dark },
  radius: { small: '4px', medium: '8px', large: '14px', round: '999px' },
  space: {
    xs: '0.5rem',
    sm: '0.75rem',
    md: '1rem',
    lg: '1.5rem',
    xl: '2.5rem',
    section: 'clamp(3rem, 2rem + 4vw, 5.5rem)',
  },
  size: { field: '3rem', button: '3rem', small: '2.25rem' },
  motion: { fast: '120ms ease-out', slow: '320ms ease-out' },
  type: {
    caption: '0.8125rem',
    small: '0.875rem',
    body: '1rem',
    lead: '1.125rem',
    title: '1.25rem',
    /** The one figure that a screen is about. */
    figure: 'clamp(2rem, 1.6rem + 1.4vw, 2.75rem)',
    heading: 'clamp(1.625rem, 1.3rem + 1.4vw, 2.25rem)',
    display: 'clamp(2.25rem, 1.5rem + 3.4vw, 3.75rem)',
  },
  font: {
    // Served from this origin; the rest of the stack is used until it has arrived.
    sans: "'Public Sans Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    mono: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  },
}
