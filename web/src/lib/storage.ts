/** The result of using the browser's storage; `otherwise` if it is blocked or full. */
export function tryStorage<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}
