import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

export type View = components['schemas']['MemberView']

export const reasonField = ({ console: t }: ConsoleStrings): ActField => ({
  name: 'reason',
  label: t.act.reason,
  kind: 'area',
})

export function block({ person: { uid }, flags }: View, strings: ConsoleStrings): Act {
  const { members: t } = strings
  const path = flags.blocked ? '/api/operator/unblock' : '/api/operator/block'
  return {
    ...(flags.blocked ? t.unblock : t.block),
    fields: [reasonField(strings)],
    call: ({ reason = '' }, key) =>
      answerOf(operatorApi.POST(path, { body: { uid, reason }, ...underKey(key) })),
  }
}

/** A ticket for a visit: the link works once, for two minutes. */
export function visit(
  { person: { uid } }: View,
  strings: ConsoleStrings,
  onLink: (link: string) => void,
): Act {
  return {
    ...strings.members.visit,
    fields: [reasonField(strings)],
    call: async ({ reason = '' }, key) => {
      const { data } = await answerOf(
        operatorApi.POST('/api/operator/ticket', { body: { uid, reason }, ...underKey(key) }),
      )
      onLink(data.link)
    },
  }
}

export function mailPassword({ person: { uid } }: View, strings: ConsoleStrings): Act {
  return {
    ...strings.members.mailPassword,
    fields: [reasonField(strings)],
    call: ({ reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/member/transactionPassword', {
          body: { uid, reason },
          ...underKey(key),
        }),
      ),
  }
}
