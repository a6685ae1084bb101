import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { apiDocs } from './vite/api-docs.ts'
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
    apiDocs(),
  ],
  resolve: { alias: { '@': here('./src') } },
  build: {
    // The Go server embeds this folder.
    outDir: here('../internal/platform/webui/dist'),
    emptyOutDir: true,
    // The files that each screen needs (scripts/shells.mjs).
    manifest: true,
    sourcemap: false,
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    // Every target browser has modulepreload.
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: parts } } },
  },
  server: {
    // The API of a running `bifolia serve`.
    proxy: { '/api': process.env.API_ORIGIN ?? 'http://127.0.0.1:8080' },
  },
  test: {
    environment: 'jsdom',
    include: ['{src,vite}/**/*.test.{ts,tsx}', 'biome.test.ts'],
    setupFiles: ['./src/test-setup.ts'],
    css: { include: /.+/, modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    // Each test file has its own page; the modules that make pages are loaded once.
    pool: 'vmForks',
    // By default Vitest leaves a processor free, which is half of two.
    maxWorkers: '100%',
    // A busy machine must not fail tests.
    testTimeout: 60_000,
  },
})
