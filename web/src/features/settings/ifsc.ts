import { useQuery } from '@tanstack/react-query'
import { answerOf } from '@/lib/api/answer.ts'
import { api } from '@/lib/api/client.ts'

/** Four letters for the bank, a zero, six letters or digits for the branch. */
const WHOLE = /^[A-Z]{4}0[A-Z0-9]{6}$/

interface Branch {
  bank: string
  branch: string
}

interface IfscLookup {
  /** What the code stands for; undefined while that is not known. */
  found: Branch | undefined
  /** A whole code that nobody could look up: there is no service, it failed, or it knows none. */
  unknown: boolean
}

/** Bank and branch of a bank code, asked for as soon as the code is whole. */
export function useIfsc(typed: string): IfscLookup {
  const ifsc = typed.trim().toUpperCase()
  const { data, isError } = useQuery({
    queryKey: ['ifsc', ifsc],
    enabled: WHOLE.test(ifsc),
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever fills the form in goes on by hand instead of waiting.
    retry: false,
    queryFn: async (): Promise<Branch> => {
      const { data } = await answerOf(api.GET('/api/ifsc', { params: { query: { ifsc } } }))
      return { bank: data.bank_name, branch: data.branch }
    },
  })
  const isKnown = data !== undefined && data.bank !== ''
  return {
    found: isKnown ? data : undefined,
    unknown: isError || (data !== undefined && !isKnown),
  }
}
