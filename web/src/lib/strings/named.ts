/** What a value of the server's is called; one that has no name is shown as it is. */
export const named = (names: Readonly<Record<string, string>>, value: string): string =>
  Object.hasOwn(names, value) ? (names[value] ?? value) : value
