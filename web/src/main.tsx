import '@fontsource-variable/public-sans/wght.css'
import 'virtual:theme.css'
import '@/app/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/App.tsx'
import { restoreLanguage } from '@/lib/strings/language.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

await restoreLanguage()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
