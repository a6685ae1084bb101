/** Deletes the browser's choices. */
export function forgetChoices(): void {
  for (const name of document.cookie.split('; ').map((entry) => entry.split('=')[0])) {
    // biome-ignore lint/suspicious/noDocumentCookie: as lib/choices.ts writes it.
    document.cookie = `${name}=; Path=/; Max-Age=0`
  }
}
