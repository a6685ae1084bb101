import '@fontsource-variable/public-sans/wght.css'
import 'virtual:theme.css'
import '@/app/global.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App, routerReady } from '@/app/App.tsx'
import { restoreLanguage } from '@/lib/strings/language.ts'

/** Nothing awaits at the top level: lazy parts import this file's chunk, and would wait for it. */
async function start(root: HTMLElement) {
  await Promise.all([restoreLanguage(), window.shellPainted])
  // A screen that came with the page stands until the app has its own (first-paint.js).
  if (root.hasChildNodes()) await routerReady()
  // In pieces, between which the browser answers people.
  startTransition(() => {
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
  })
}

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void start(root)
