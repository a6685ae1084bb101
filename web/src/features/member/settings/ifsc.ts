import { useQuery } from '@tanstack/react-query'
import { ifscOptions } from './queries.ts'

/** Four letters for the bank, a zero, six letters or digits for the branch. */
const WHOLE = /^[A-Z]{4}0[A-Z0-9]{6}$/

interface IfscLookup {
  /** The bank and the branch of the code; '' if unknown. */
  bank: string
  branch: string
  /** No more will come: there is no service, it failed, or it does not know the code. */
  asked: boolean
}

/** Looks up the bank and the branch as soon as the code is complete. */
export function useIfsc(typed: string): IfscLookup {
  const ifsc = typed.trim().toUpperCase()
  const { data, isError } = useQuery({ ...ifscOptions(ifsc), enabled: WHOLE.test(ifsc) })
  return {
    bank: data?.bank ?? '',
    branch: data?.branch ?? '',
    asked: isError || data !== undefined,
  }
}
