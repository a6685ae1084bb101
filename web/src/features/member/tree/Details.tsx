import { Button } from '@mantine/core'
import { formatMoney, signOf } from '@/lib/money.ts'
import type { Place } from '@/lib/queries/binaryTree.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { dateOf } from './places.ts'
import { statusOf, statusWord } from './status.ts'
import styles from './Tree.module.css'

const count = new Intl.NumberFormat('en-US')

interface DetailsProps {
  place: Place
  /** Offers to centre the tree on this place, for touch screens; a pointer clicks the place. */
  onCentre?: (() => void) | undefined
}

/** The details of the member at a place. */
export function Details({ place, onCentre }: DetailsProps) {
  const strings = useMemberStrings()
  const { tree: t } = strings
  const carries = signOf(place.T_LeftB) !== 0 || signOf(place.T_RightB) !== 0
  const lines: [name: string, left: string, right?: string][] = [
    [t.sponsor, place.sid],
    [t.activation, dateOf(place.activationdate)],
    [t.packageAmount, formatMoney(place.packageamount)],
    ...(place.packageName ? [[t.package, place.packageName] as [string, string]] : []),
    ...(place.binaryrank ? [[t.rank, place.binaryrank] as [string, string]] : []),
    [t.total, count.format(place.T_Left), count.format(place.T_Right)],
    [t.active, count.format(place.totalleft), count.format(place.totalright)],
    [t.business, formatMoney(place.lbv), formatMoney(place.rbv)],
    ...(carries
      ? [
          [t.carried, formatMoney(place.T_LeftB), formatMoney(place.T_RightB)] as [
            string,
            string,
            string,
          ],
        ]
      : []),
  ]
  return (
    <>
      <p className={styles.who}>
        <bdi>{place.fname}</bdi> <span className={styles.muted}>{place.uid}</span>
        <span className={styles.word} data-status={statusOf(place)}>
          {statusWord(statusOf(place), strings)}
        </span>
      </p>
      <dl className={styles.lines}>
        {lines.map(([name, left, right]) => (
          <div key={name}>
            <dt>{right === undefined ? name : t.leftRight({ name })}</dt>
            <dd>{right === undefined ? left : `${left} / ${right}`}</dd>
          </div>
        ))}
      </dl>
      {onCentre && (
        <Button size="xs" fullWidth onClick={onCentre}>
          {t.centre}
        </Button>
      )}
    </>
  )
}
