import { Button, Loader } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type RefObject, useRef, useState } from 'react'
import { Card } from '@/components/Card.tsx'
import type { Place } from '@/lib/queries/binaryTree.ts'
import { useMemberStrings } from '@/lib/strings/member.ts'
import { Details } from './Details.tsx'
import { connector, drawn, moved, type Picture, parentOf } from './places.ts'
import styles from './Tree.module.css'
import { TreeNode } from './TreeNode.tsx'
import { useZoom } from './useZoom.ts'

interface TreePictureProps {
  places: readonly Place[]
  /** The id of the member whose places are loading; undefined otherwise. */
  awaited: string | undefined
  /** Centres the tree on a place. */
  onCentre: (index: number) => void
}

/** The tree with pan and zoom, and the details of the hovered place. */
export function TreePicture({ places, awaited, onCentre }: TreePictureProps) {
  const { tree: t } = useMemberStrings()
  const { ref, width } = useElementSize<HTMLDivElement>()
  const svg = useRef<SVGSVGElement>(null)
  const picture = drawn(places, width)
  const view = useZoom(svg, picture.width, picture.height)
  const tools = [
    [t.zoomIn, ZoomIn, view.nearer],
    [t.zoomOut, ZoomOut, view.farther],
    [t.fit, Maximize, view.fit],
  ] as const
  return (
    <div ref={ref} className={styles.frame} aria-busy={awaited !== undefined}>
      <div role="status" className={styles.awaited}>
        {awaited !== undefined && (
          <p>
            <Loader size="xs" aria-hidden="true" />
            {t.fetching({ id: awaited })}
          </p>
        )}
      </div>
      <div className={styles.tools}>
        {tools.map(([label, Icon, act]) => (
          <Button key={label} variant="default" size="xs" aria-label={label} onClick={act}>
            <Icon size={16} aria-hidden="true" />
          </Button>
        ))}
      </div>
      {width > 0 && (
        <Drawing
          picture={picture}
          onCentre={onCentre}
          svg={svg}
          transform={view.transform}
          isZoomed={view.isZoomed}
        />
      )}
    </div>
  )
}

interface DrawingProps {
  picture: Picture
  onCentre: (index: number) => void
  svg: RefObject<SVGSVGElement | null>
  transform: string
  isZoomed: boolean
}

function Drawing({ picture, onCentre, svg, transform, isZoomed }: DrawingProps) {
  const { tree: t } = useMemberStrings()
  const { direction, width, height, spots, room } = picture
  const [current, setCurrent] = useState(0)
  const [shown, setShown] = useState<number | null>(null)
  const shownBefore = useRef<number | null>(null)
  // The centre has changed: the details of the old place would cover another.
  const topId = spots.find(({ index }) => index === 0)?.place.uid
  const [top, setTop] = useState(topId)
  if (top !== topId) {
    setTop(topId)
    setShown(null)
    setCurrent(0)
  }
  const seen = spots.find(({ index, place }) => index === shown && place.uid !== '')

  const centre = (index: number) => {
    setShown(null)
    setCurrent(0)
    if (index !== 0) onCentre(index)
  }
  /**
   * Touch screens cannot hover: the first tap shows the details, the second one centres. The focus
   * event comes in between.
   */
  const choose = (index: number, event: MouseEvent | KeyboardEvent) => {
    const isTouch = 'pointerType' in event.nativeEvent && event.nativeEvent.pointerType === 'touch'
    if (isTouch && shownBefore.current !== index) setShown(index)
    else centre(index)
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setShown(null)
    const next = moved(current, event.key, direction, spots.length - 1)
    if (next === null) return
    event.preventDefault()
    svg.current?.querySelector<SVGElement>(`[data-index="${next}"]`)?.focus()
  }

  return (
    <>
      <div
        role="tree"
        aria-label={t.picture}
        tabIndex={-1}
        onKeyDown={move}
        onPointerDownCapture={() => {
          shownBefore.current = shown
        }}
      >
        <svg
          ref={svg}
          role="none"
          viewBox={`0 0 ${width} ${height}`}
          className={styles.svg}
          data-zoomed={isZoomed}
        >
          <g transform={transform}>
            {spots.map((spot) => {
              const parent = spots.find(({ index }) => index === parentOf(spot.index))
              if (!parent) return null
              return (
                <path
                  key={spot.index}
                  d={connector(picture, parent, spot)}
                  className={styles.connector}
                />
              )
            })}
            {spots.map((spot) => (
              <TreeNode
                key={spot.index}
                spot={spot}
                direction={direction}
                room={room}
                isCurrent={spot.index === current}
                onShow={() => setShown(spot.index)}
                onHide={() => setShown(null)}
                onFocus={() => {
                  setCurrent(spot.index)
                  setShown(spot.index)
                }}
                onChoose={(event) => choose(spot.index, event)}
              />
            ))}
          </g>
        </svg>
      </div>
      {seen && (
        <div
          className={styles.details}
          role="status"
          data-side={seen.x < width / 2 ? 'end' : 'start'}
          data-docked={direction === 'sideways'}
        >
          <Card>
            <Details
              place={seen.place}
              onCentre={
                direction === 'sideways' && seen.index !== 0 ? () => centre(seen.index) : undefined
              }
            />
          </Card>
        </div>
      )}
    </>
  )
}
