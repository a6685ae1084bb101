import '@fontsource-variable/public-sans/wght.css'
import 'virtual:theme.css'
import '@/app/global.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, openRouter, routerReady } from '@/app/App.tsx'
import { moveOldChoices, onReturn } from '@/lib/choices.ts'
import { restoreLanguage } from '@/lib/strings/language.ts'

/** How long the app waits for what it keeps before it begins without. */
const RESTORE_LIMIT_MS = 5_000

/** What is being restored, or nothing if that takes too long: a chunk may never come. */
const restored = (all: Promise<unknown>) =>
  Promise.race([all, new Promise((resolve) => setTimeout(resolve, RESTORE_LIMIT_MS))])

/** Lets the browser answer people before what comes next. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

/** Nothing awaits at the top level: lazy parts import this file's chunk, and would wait for it. */
async function start(root: HTMLElement) {
  await pause()
  moveOldChoices()
  onReturn(() => void restoreLanguage())
  const router = openRouter()
  await restored(Promise.all([restoreLanguage(), window.shellPainted]))
  // A screen that came with the page stands until the app has its own (first-paint.js).
  if (root.hasChildNodes()) await routerReady(router)
  // In pieces, between which the browser answers people.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    )
  })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
