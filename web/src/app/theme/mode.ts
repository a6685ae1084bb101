import { useSyncExternalStore } from 'react'
import type { Mode } from './theme.ts'

/** Where a visitor's choice is kept. No entry means: follow the system. */
export const STORAGE_KEY = 'bifolia.theme'

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
  try {
    localStorage.setItem(STORAGE_KEY, mode)
  } catch {
    // Storage is blocked: the choice holds until the page is left.
  }
  notify()
}

/** Another tab chose, or cleared its choice: this one follows. */
function followOtherTab(event: StorageEvent): void {
  if (event.key !== null && event.key !== STORAGE_KEY) return
  if (isMode(event.newValue)) root().dataset.theme = event.newValue
  else delete root().dataset.theme
  notify()
}

function subscribe(listener: () => void): () => void {
  const system = systemPrefersDark()
  if (listeners.size === 0) window.addEventListener('storage', followOtherTab)
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTab)
  }
}

export function useMode(): Mode {
  return useSyncExternalStore(subscribe, currentMode, () => 'light')
}
