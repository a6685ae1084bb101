import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import { Link } from 'react-router'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { type Direction, fitted, levelOf, type Spot, signupLink } from './places.ts'
import { statusIcons, statusOf, statusWord } from './status.ts'
import styles from './Tree.module.css'

interface TreeNodeProps {
  spot: Spot
  direction: Direction
  room: number
  /** One place at a time is in the tab order; arrow keys move to the others. */
  isCurrent: boolean
  onShow: () => void
  onHide: () => void
  onFocus: () => void
  onChoose: (event: MouseEvent | KeyboardEvent) => void
}

/** A place: its member, or a sign-up link if it is free. */
export function TreeNode(props: TreeNodeProps) {
  const strings = useMemberStrings()
  const { spot, isCurrent, onShow, onHide, onFocus, onChoose } = props
  const { index, place, x, y } = spot
  const status = statusOf(place)
  const word = statusWord(status, strings)
  const common = {
    role: 'treeitem',
    'aria-level': levelOf(index) + 1,
    'data-index': index,
    'data-status': status,
    tabIndex: isCurrent ? 0 : -1,
    className: styles.node,
    onPointerEnter: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onShow(),
    onPointerLeave: ({ pointerType }: PointerEvent) => pointerType === 'mouse' && onHide(),
    onFocus,
  }
  const at = { transform: `translate(${x} ${y})` }

  if (place.uid !== '') {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it has the role that all places share
      <g
        {...common}
        {...at}
        aria-label={`${place.fname}, ${place.uid}, ${word}`}
        onClick={onChoose}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ' ') onChoose(event)
        }}
      >
        <Mark {...props} />
      </g>
    )
  }
  if (!place.placeUnder || !place.placeSide) {
    return (
      <g {...common} {...at} aria-label={word} aria-disabled="true">
        <Mark {...props} />
      </g>
    )
  }
  return (
    <g {...at}>
      <Link
        {...common}
        to={signupLink(place.placeUnder, place.placeSide)}
        aria-label={strings.tree.take({ sponsor: place.placeUnder, side: place.placeSide })}
      >
        <Mark {...props} />
      </Link>
    </g>
  )
}

const SIZE = { down: 44, sideways: 32 }

/** The coloured icon with name and id below it. */
function Mark({ spot: { place }, direction, room }: TreeNodeProps) {
  const strings = useMemberStrings()
  const status = statusOf(place)
  const Icon = statusIcons[status]
  const size = SIZE[direction]
  const top = direction === 'down' ? 0 : -8
  const text = top + size / 2
  const isTaken = place.uid !== ''
  const name = isTaken ? place.fname : statusWord(status, strings)
  return (
    <>
      <rect
        x={-room / 2 + 2}
        y={top - size / 2 - 2}
        width={Math.max(room - 4, 0)}
        height={size + 34}
        rx="8"
        className={styles.area}
      />
      <circle cy={top} r={size / 2} className={styles.disc} />
      <Icon
        x={-size / 4}
        y={top - size / 4}
        width={size / 2}
        height={size / 2}
        aria-hidden="true"
        className={styles.icon}
      />
      <text y={text + 14} className={styles.name}>
        <title>{name}</title>
        {fitted(name, room)}
      </text>
      {isTaken && (
        <text y={text + 28} className={styles.id}>
          {place.uid}
        </text>
      )}
    </>
  )
}
