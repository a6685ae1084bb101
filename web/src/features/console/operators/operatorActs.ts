import type { Act, ActField } from '@/components/console/ActDialog.tsx'
import { answerOf } from '@/lib/api/answer.ts'
import type { components } from '@/lib/api/schema.d.ts'
import { underKey } from '@/lib/api/submit.ts'
import { operatorApi } from '@/lib/operator/client.ts'
import { ROLES } from '@/lib/operator/rights.ts'
import type { ConsoleStrings } from '@/lib/strings/console.ts'

export type Operator = components['schemas']['OperatorRow']
export type Proposal = components['schemas']['ProposalRow']

const reason = ({ console: t }: ConsoleStrings): ActField => ({
  name: 'reason',
  label: t.act.reason,
  kind: 'area',
})

const roleField = ({ console: t }: ConsoleStrings): ActField => ({
  name: 'role',
  label: t.operators.role,
  kind: 'select',
  options: ROLES.toReversed().map((role) => ({ value: role, label: t.roles[role] })),
})

export const invite = (strings: ConsoleStrings): Act => {
  const { operators: t } = strings.console
  return {
    title: t.invite,
    text: t.inviteText,
    fields: [
      { name: 'email', label: t.email, most: 254 },
      { name: 'name', label: t.name },
      roleField(strings),
      reason(strings),
    ],
    confirm: t.invite,
    done: t.invitedDone,
    call: ({ email = '', name = '', role = '', reason = '' }, key) =>
      answerOf(
        operatorApi.POST('/api/operator/invite', {
          body: { email, name, role, reason },
          ...underKey(key),
        }),
      ),
  }
}

/** The acts of an owner on an operator. */
export function actsOn(row: Operator, strings: ConsoleStrings): Act[] {
  const { operators: t } = strings.console
  const about = { operator: row.id }
  const facts = [
    [t.name, row.name],
    [t.email, row.email],
  ] as const
  const simple = (
    path: '/api/operator/invite/again' | '/api/operator/factor/reset' | '/api/operator/end',
    confirm: string,
    text: string,
  ): Act => ({
    title: confirm,
    text,
    facts,
    fields: [reason(strings)],
    confirm,
    done: t.done,
    call: ({ reason = '' }, key) =>
      answerOf(operatorApi.POST(path, { body: { ...about, reason }, ...underKey(key) })),
  })
  return [
    {
      title: t.changeRole,
      text: t.changeRoleText,
      facts,
      fields: [roleField(strings), reason(strings)],
      confirm: t.changeRole,
      done: t.proposed,
      call: ({ role = '', reason = '' }, key) =>
        answerOf(
          operatorApi.POST('/api/operator/role', {
            body: { ...about, role, reason },
            ...underKey(key),
          }),
        ),
    },
    row.password
      ? simple('/api/operator/factor/reset', t.resetFactor, t.resetFactorText)
      : simple('/api/operator/invite/again', t.inviteAgain, t.inviteText),
    simple('/api/operator/end', t.end, t.endText),
  ]
}

/** The decision shows the proposal's digest and names it. */
export function decide(
  row: Proposal,
  approve: boolean,
  own: boolean,
  strings: ConsoleStrings,
): Act {
  const { operators: t } = strings.console
  const confirm = approve ? t.approve : own ? t.withdraw : t.refuse
  return {
    title: confirm,
    facts: [
      [t.was, row.was],
      [t.wanted, row.kind === 'end' ? t.end : row.wanted],
      [t.reason, row.reason],
      [t.digest, row.digest],
    ],
    confirm,
    done: t.done,
    call: (_, key) =>
      answerOf(
        operatorApi.POST('/api/operator/proposals/decide', {
          body: { id: row.id, digest: row.digest, approve },
          ...underKey(key),
        }),
      ),
  }
}
