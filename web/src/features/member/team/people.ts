import {
  dateColumn,
  moneyColumn,
  numberColumn,
  statusColumn,
  termColumn,
  textColumn,
} from '@/components/table/columns.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import type { MemberStrings } from '@/lib/strings/member.ts'

export type Person = components['schemas']['Person']

/** All columns of lists of members. Each list picks some. */
export const people = ({ team: t }: MemberStrings) => ({
  userId: textColumn<Person>(t.userId, (p) => p.uid, { sort: 'uid' }),
  userName: textColumn<Person>(t.userName, (p) => p.f_name),
  status: statusColumn<Person>(
    t.status,
    (p) => p.status,
    (p) => p.status === 'Active',
  ),
  level: numberColumn<Person>(t.level, (p) => p.leveltype, { sort: 'leveltype' }),
  registered: dateColumn<Person>(t.registered, (p) => p.registrationDate, {
    sort: 'registrationDate',
  }),
  activated: dateColumn<Person>(t.activated, (p) => p.activationDate),
  robot: moneyColumn<Person>(t.robot, (p) => p.RobotInvet, { sort: 'RobotInvet' }),
  forex: moneyColumn<Person>(t.forex, (p) => p.forexInvest, { sort: 'forexInvest' }),
  crypto: moneyColumn<Person>(t.crypto, (p) => p.CryptoInvest, { sort: 'CryptoInvest' }),
  position: termColumn<Person>(t.position, (p) => p.position),
  sponsor: (header: string) => textColumn<Person>(header, (p) => p.sid),
})
