import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

/** In a wider window the menu is beside the page; otherwise it covers the page. */
const BREAKPOINT = 991

const isWide = () => window.innerWidth > BREAKPOINT

/** Open at first in a wide window. When it covers the page, Escape and navigation close it. */
export function useSideMenu() {
  const [open, setOpen] = useState(isWide)
  const toggleRef = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()
  const shownFor = useRef(key)

  useEffect(() => {
    if (shownFor.current !== key && !isWide()) setOpen(false)
    shownFor.current = key
  }, [key])

  useEffect(() => {
    const crossing = window.matchMedia(`(width > ${BREAKPOINT}px)`)
    const follow = () => setOpen(isWide())
    crossing.addEventListener('change', follow)
    return () => crossing.removeEventListener('change', follow)
  }, [])

  useEffect(() => {
    if (!open) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isWide()) return
      setOpen(false)
      toggleRef.current?.focus()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [open])

  return { open, toggleRef, toggle: () => setOpen(!open), close: () => setOpen(false) }
}
