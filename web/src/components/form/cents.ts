import { type RefObject, useEffect, useRef } from 'react'
import { isPastedAmount } from '@/lib/rules/rule.ts'

const SEPARATOR = /[.,]/
/** Keys that move the cursor. */
const MOVES = /^(Arrow|Home|End|Page)/
const TYPED = new Set(['insertText', 'insertCompositionText'])

/**
 * Prevents cents in an amount of whole dollars: "12.50" is 12, not 1250. Input after a point or a
 * comma is dropped until the user deletes, moves the cursor or pastes. It listens to `beforeinput`,
 * because phones send no key events. Returns whether a change must be dropped: the changes of an
 * input method cannot be prevented.
 */
export function useNoCents(
  input: RefObject<HTMLInputElement | null>,
  dollars: boolean,
  onRefused: () => void,
): () => boolean {
  const refused = useRef(onRefused)
  refused.current = onRefused
  const leftOut = useRef(false)
  useEffect(() => {
    const node = input.current
    if (!dollars || !node) return
    /** The position of the cents; null while none are typed. */
    let at: number | null = null
    const end = () => {
      at = null
    }
    const beforeInput = (event: InputEvent) => {
      leftOut.current = false
      if (at !== node.selectionStart || !TYPED.has(event.inputType)) end()
      const text = event.data ?? ''
      if (!TYPED.has(event.inputType) || text === '') return
      const separated = SEPARATOR.test(text) && !isPastedAmount(text)
      if (at === null && !separated) return
      if (at === null) refused.current()
      at = node.selectionStart
      event.preventDefault()
      leftOut.current = !event.cancelable
    }
    const keyDown = ({ key }: KeyboardEvent) => {
      if (MOVES.test(key)) end()
    }
    const over = new AbortController()
    const { signal } = over
    node.addEventListener('beforeinput', beforeInput, { signal })
    node.addEventListener('keydown', keyDown, { signal })
    node.addEventListener('pointerdown', end, { signal })
    node.addEventListener('blur', end, { signal })
    return () => over.abort()
  }, [input, dollars])
  return () => {
    const was = leftOut.current
    leftOut.current = false
    return was
  }
}
