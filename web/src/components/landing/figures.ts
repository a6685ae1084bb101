import { useEffect, useState } from 'react'
import type { components } from '@/lib/api/schema.d.ts'

export type Report = components['schemas']['Report']

/** undefined while it loads, null if it did not arrive: the page is complete without it. */
export type Figures = Report | null | undefined

let coming: Promise<Report | null> | undefined

async function load(): Promise<Report | null> {
  try {
    const answer = await fetch('/api/transparency')
    if (!answer.ok) return null
    const { data } = await answer.json()
    return Array.isArray(data?.coverage) ? data : null
  } catch {
    return null
  }
}

/** The public figures of the last close, asked for once, after the first paint. */
export function useFigures(): Figures {
  const [figures, setFigures] = useState<Figures>()
  useEffect(() => {
    let shown = true
    const timer = setTimeout(async () => {
      coming ??= load()
      const report = await coming
      if (report === null) coming = undefined
      if (shown) setFigures(report)
    })
    return () => {
      shown = false
      clearTimeout(timer)
    }
  }, [])
  return figures
}
