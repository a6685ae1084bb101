import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import type { Json } from '@/components/console/draft/tree.ts'
import { answerOf } from '@/lib/api/answer.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { Proposal, ProposalRow, SectionName } from '@/lib/operator/queries/settings.ts'
import type { Right } from '@/lib/operator/rights.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

/** The right that is needed to propose and approve changes of a section. */
export const rightFor = (section: SectionName): Right =>
  section === 'content' ? 'compliance' : 'money'

const reason = ({ console: t }: ConsoleStrings): ActField => ({
  name: 'reason',
  label: t.act.reason,
  kind: 'area',
})

export function propose(
  section: SectionName,
  body: Json,
  changes: number,
  strings: ConsoleStrings,
  onDone: () => void,
): Act {
  const { installation: t } = strings
  return {
    ...t.propose,
    text: section === 'usdt' ? t.proposeAddress : t.propose.text,
    facts: [[t.changedPlaces, changes]],
    fields: [reason(strings)],
    call: ({ reason = '' }, key) =>
      section === 'content'
        ? answerOf(
            operatorApi.POST('/api/operator/brand/propose', {
              body: { body, reason },
              ...underKey(key),
            }),
          )
        : answerOf(
            operatorApi.POST('/api/operator/settings/propose', {
              body: { section, body, reason },
              ...underKey(key),
            }),
          ),
    onDone,
  }
}

/** The decision names the digest that the operator has seen. */
export function decide(p: Proposal, approve: boolean, { installation: t }: ConsoleStrings): Act {
  const { id, section, own, proposedBy, reason } = p.proposal
  const words = approve ? t.approve : own ? t.withdraw : t.refuse
  const path =
    section === 'content' ? '/api/operator/brand/decide' : '/api/operator/settings/decide'
  return {
    ...words,
    facts: [
      [t.proposedBy, proposedBy],
      [t.reason, reason],
      [t.digest, p.digest],
    ],
    call: (_, key) =>
      answerOf(
        operatorApi.POST(path, { body: { id, digest: p.digest, approve }, ...underKey(key) }),
      ),
  }
}

export function callOff(row: ProposalRow, strings: ConsoleStrings): Act {
  const { installation: t } = strings
  return {
    ...t.callOff,
    fields: [reason(strings)],
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/settings/cancel', {
          body: { id: row.id, reason },
          ...underKey(key),
        }),
      ),
  }
}
