import '@fontsource-variable/public-sans/wght.css'
import 'virtual:theme.css'
import '@/app/global.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, openRouter, routerReady } from '@/app/App.tsx'
import { onReturn } from '@/lib/choices.ts'
import { restoreLanguage } from '@/lib/strings/language.ts'

/** The app waits this long for its saved choices. */
const RESTORE_LIMIT_MS = 5_000

/** Resolves with the restored value, or without it after the limit: a chunk may never arrive. */
const restored = (all: Promise<unknown>) =>
  Promise.race([all, new Promise((resolve) => setTimeout(resolve, RESTORE_LIMIT_MS))])

/** Lets the browser handle input first. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

/** Nothing awaits at the top level: lazy parts import this file's chunk, and would wait for it. */
async function start(root: HTMLElement) {
  await pause()
  onReturn(() => void restoreLanguage())
  const router = openRouter()
  await restored(Promise.all([restoreLanguage(), window.shellPainted]))
  // The shell that came with the page is shown until the app renders its own screen
  // (first-paint.js).
  if (root.hasChildNodes()) await routerReady(router)
  // In steps, between which the browser handles input.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    )
  })
}

/** Behind everything that the first screen needs. Development has no files to keep. */
function keepFiles() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  // Without it the site works as before.
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else window.addEventListener('load', register)
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
keepFiles()
