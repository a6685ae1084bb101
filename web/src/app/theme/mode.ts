import { useSyncExternalStore } from 'react'
import { chosen, keepChoice, onReturn } from '@/lib/choices.ts'
import type { Mode } from './theme.ts'

/** The name of the visitor's choice. Without one the system's preference applies. */
export const THEME_KEY = 'bifolia.theme'

const root = () => document.documentElement
const systemPrefersDark = () => window.matchMedia('(prefers-color-scheme: dark)')
const isMode = (value: unknown): value is Mode => value === 'light' || value === 'dark'

const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

export function currentMode(): Mode {
  const chosen = root().dataset.theme
  if (isMode(chosen)) return chosen
  return systemPrefersDark().matches ? 'dark' : 'light'
}

export function chooseMode(mode: Mode): void {
  root().dataset.theme = mode
  keepChoice(THEME_KEY, mode)
  notify()
}

/** Another tab has changed the choice. */
function followOtherTab(): void {
  const elsewhere = chosen(THEME_KEY)
  if (!isMode(elsewhere) || elsewhere === root().dataset.theme) return
  root().dataset.theme = elsewhere
  notify()
}

let leave = () => {}

function subscribe(listener: () => void): () => void {
  const system = systemPrefersDark()
  if (listeners.size === 0) leave = onReturn(followOtherTab)
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
    if (listeners.size === 0) leave()
  }
}

export function useMode(): Mode {
  return useSyncExternalStore(subscribe, currentMode, () => 'light')
}
