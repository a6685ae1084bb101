import type { Act } from '@/components/console/ActDialog.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import { saveAnswer } from '@/lib/api/download.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'
import { reasonField, type View } from './memberActs.ts'

export type Erasure = components['schemas']['ErasureRow']

export const exportData = ({ person: { uid } }: View, strings: ConsoleStrings): Act => ({
  ...strings.memberDetails.export,
  fields: [reasonField(strings)],
  call: ({ reason = '' }, key) =>
    saveAnswer(
      operatorApi.POST('/api/operator/member/export', {
        body: { uid, reason },
        parseAs: 'blob',
        ...underKey(key),
      }),
      `personal-data-${uid}.zip`,
    ),
})

export function hold({ person: { uid }, marks }: View, strings: ConsoleStrings): Act {
  const stands = marks.some(({ flag }) => flag === 'legal hold')
  return {
    ...(stands ? strings.memberDetails.lift : strings.memberDetails.hold),
    fields: [reasonField(strings)],
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/member/legalHold', {
          body: { uid, hold: !stands, reason },
          ...underKey(key),
        }),
      ),
  }
}

export const propose = ({ person: { uid } }: View, strings: ConsoleStrings): Act => ({
  ...strings.memberDetails.erase,
  fields: [reasonField(strings)],
  call: ({ reason = '' }, key) =>
    answerOf(
      operatorApi.POST('/api/operator/member/erasure/propose', {
        body: { uid, reason },
        ...underKey(key),
      }),
    ),
})

/** The decision shows the proposal and names its digest. */
export function decide(
  view: View,
  row: Erasure,
  approve: boolean,
  own: boolean,
  all: ConsoleStrings,
): Act {
  const { memberDetails: t, members } = all
  const { person } = view
  return {
    ...(approve ? t.approve : own ? t.withdraw : t.refuse),
    facts: [
      [t.userId, person.uid],
      [t.name, `${person.name} ${person.lastName}`.trim()],
      [members.email, person.email],
      [t.proposedBy, row.by],
      [t.reason, row.reason],
      [t.digest, row.digest],
    ],
    call: (_, key) =>
      answerOf(
        operatorApi.POST('/api/operator/member/erasure/decide', {
          body: { id: row.id, digest: row.digest, approve },
          ...underKey(key),
        }),
      ),
  }
}
