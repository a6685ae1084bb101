/// <reference types="vite/client" />

declare module 'virtual:theme.css'
declare module 'virtual:kit.css'

declare module 'messages:languages' {
  export const languages: Record<string, { name: string; locale: string }>
  export const brands: Record<string, () => Promise<Record<string, string>>>
}

/** The server's messages by code. */
declare module 'messages:errors' {
  type Message = string | ((params: Readonly<Record<string, string>>) => string)
  export const others: Record<string, () => Promise<Readonly<Record<string, Message>>>>
}

interface Window {
  /** Until it resolves, first-paint.js may still put a shell into the page. */
  shellPainted?: Promise<void>
}
