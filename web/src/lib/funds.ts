import type { Strings } from './strings/index.ts'

const isKnown = (fund: string, names: Strings['fundNames']): fund is keyof typeof names =>
  Object.hasOwn(names, fund)

/** FUNDS is read as Robot Fund; what is no fund stays as it is. */
export const fundName = (fund: string | undefined, { fundNames }: Strings): string | undefined =>
  fund !== undefined && isKnown(fund, fundNames) ? fundNames[fund] : fund
