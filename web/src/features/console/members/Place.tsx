import { Amount } from '@/components/Amount.tsx'
import { Card } from '@/components/Card.tsx'
import { Facts } from '@/components/Facts.tsx'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import styles from './Member.module.css'
import type { View } from './memberActs.ts'

/** The member's place in the tree, and the totals of both legs. */
export function Place({ place }: { place: View['place'] }) {
  const { members: t } = useConsoleStrings()
  return (
    <Card title={t.place}>
      <Facts
        facts={[
          [t.number, place.number],
          [t.sponsor, place.sponsor || '–'],
          [t.parent, place.parent || '–'],
          [t.side, t.sides[place.side]],
        ]}
      />
      <Legs left={place.left} right={place.right} />
    </Card>
  )
}

const LINES = ['robot', 'forex', 'crypto'] as const

function Legs({ left, right }: Pick<View['place'], 'left' | 'right'>) {
  const { members: t } = useConsoleStrings()
  const legs = [left, right]
  return (
    <table className={styles.legs} aria-label={t.legs}>
      <thead>
        <tr>
          <td />
          <th scope="col">{t.sides[1]}</th>
          <th scope="col">{t.sides[2]}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{t.legMembers}</th>
          {legs.map(({ members, active }, side) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its side
            <td key={side}>
              {members} ({active})
            </td>
          ))}
        </tr>
        {LINES.map((line) => (
          <tr key={line}>
            <th scope="row">{t.business[line]}</th>
            {legs.map((leg, side) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell is identified by its side
              <td key={side}>
                <Amount value={leg[line]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
