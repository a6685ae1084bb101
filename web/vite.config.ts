import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { brandData } from './vite/brand-data.ts'
import { firstPaint } from './vite/first-paint.ts'
import { keepFolder } from './vite/keep-folder.ts'
import { kitCss } from './vite/kit-css.ts'
import { messages } from './vite/messages.ts'
import { moduleList } from './vite/module-list.ts'
import { parts } from './vite/parts.ts'
import { themeCss } from './vite/theme-css.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  plugins: [
    react(),
    themeCss(),
    kitCss(),
    firstPaint(here('./src/app/theme/first-paint.js')),
    brandData(here('../internal/office/brand/demo.json')),
    messages(here('../messages')),
    keepFolder(),
    moduleList(),
  ],
  resolve: { alias: { '@': here('./src') } },
  build: {
    // The Go program embeds this folder.
    outDir: here('../internal/platform/webui/dist'),
    emptyOutDir: true,
    // What each screen needs (vite/shells.ts).
    manifest: true,
    sourcemap: false,
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    // Every browser this build targets knows modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: parts } } },
  },
  server: {
    // `bifolia serve` on its usual address answers the API while Vite serves the screens.
    proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:8080' },
  },
  test: {
    environment: 'jsdom',
    include: ['{src,vite}/**/*.test.{ts,tsx}', 'biome.test.ts'],
    setupFiles: ['./src/test-setup.ts'],
    css: { include: /.+/, modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // Each file has a page of its own, but what makes pages is loaded once.
    pool: 'vmForks',
    // Vitest leaves a processor to whoever watches; of two that is half.
    maxWorkers: '100%',
    // A busy machine is no fault of what is tested.
    testTimeout: 60_000,
  },
})
