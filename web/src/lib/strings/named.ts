/** The name of a server code; a code without a name is shown as it is. */
export const named = (names: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(names, value) ? (names[value] ?? value) : value
