import { select } from 'd3-selection'
import { type D3ZoomEvent, type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom'
import { type RefObject, useEffect, useRef, useState } from 'react'

const FARTHEST = 0.6
const NEAREST = 4
const STEP = 1.4

/**
 * Pan and zoom of a drawing. The page still scrolls: the wheel zooms only with Ctrl, and one finger
 * pans only when the drawing is larger than its frame. `fit` shows the whole drawing.
 */
export function useZoom(svg: RefObject<SVGSVGElement | null>, width: number, height: number) {
  const [transform, setTransform] = useState(zoomIdentity)
  const behaviour = useRef<ZoomBehavior<SVGSVGElement, unknown>>(null)

  useEffect(() => {
    if (!svg.current) return
    const frame = select(svg.current)
    const scale = { now: 1 }
    const made = zoom<SVGSVGElement, unknown>()
      .scaleExtent([FARTHEST, NEAREST])
      .extent([
        [0, 0],
        [width, height],
      ])
      .translateExtent([
        [0, 0],
        [width, height],
      ])
      .filter((event: MouseEvent | TouchEvent) => {
        if (event.type === 'wheel') return event.ctrlKey || event.metaKey
        if ('touches' in event) return event.touches.length > 1 || scale.now > 1
        return event.button === 0
      })
      .on('zoom', (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        scale.now = event.transform.k
        setTransform(event.transform)
      })
    frame.call(made).on('dblclick.zoom', null)
    frame.call(made.transform, zoomIdentity)
    behaviour.current = made
    return () => {
      frame.on('.zoom', null)
    }
  }, [svg, width, height])

  const scaleBy = (factor: number) => {
    if (svg.current) behaviour.current?.scaleBy(select(svg.current), factor)
  }
  return {
    transform: transform.toString(),
    isFitted: transform.k === 1 && transform.x === 0 && transform.y === 0,
    isZoomed: transform.k > 1,
    nearer: () => scaleBy(STEP),
    farther: () => scaleBy(1 / STEP),
    fit: () => {
      if (svg.current) behaviour.current?.transform(select(svg.current), zoomIdentity)
    },
  }
}
