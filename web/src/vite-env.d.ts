/// <reference types="vite/client" />

declare module 'virtual:theme.css'
declare module 'virtual:kit.css'

interface Window {
  /** Until it resolves, first-paint.js may still put a screen into the page. */
  shellPainted?: Promise<void>
}
