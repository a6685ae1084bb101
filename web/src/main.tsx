import '@fontsource-variable/public-sans/wght.css'
import 'virtual:theme.css'
import '@/app/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '@/app/App.tsx'
import { applyColours, brand } from '@/lib/brand.ts'
import { restoreLanguage } from '@/lib/strings/language.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

applyColours(brand.colours)
await restoreLanguage()

createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
