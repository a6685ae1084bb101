import { useQuery } from '@tanstack/react-query'
import { ifscOptions } from './queries.ts'

/** Four letters for the bank, a zero, six letters or digits for the branch. */
const WHOLE = /^[A-Z]{4}0[A-Z0-9]{6}$/

interface IfscLookup {
  /** The bank and the branch of the code; '' for what is not known of it. */
  bank: string
  branch: string
  /** Nobody will tell more: there is no service, it failed, or it does not know the code. */
  asked: boolean
}

/** Bank and branch of a bank code, asked for as soon as the code is whole. */
export function useIfsc(typed: string): IfscLookup {
  const ifsc = typed.trim().toUpperCase()
  const { data, isError } = useQuery({ ...ifscOptions(ifsc), enabled: WHOLE.test(ifsc) })
  return {
    bank: data?.bank ?? '',
    branch: data?.branch ?? '',
    asked: isError || data !== undefined,
  }
}
