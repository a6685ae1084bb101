import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { type Toast, useToaster } from 'react-hot-toast/headless'
import styles from './Toasts.module.css'

const ICONS = { success: CircleCheck, error: CircleAlert }

/**
 * Draws the passing messages of lib/toast.ts. They are in nobody's way: what lies under one, a
 * dialog's Close or the header's menu, can be pressed through it.
 */
export function Toasts() {
  const { toasts } = useToaster()
  const stack = useLift(toasts)
  return (
    <section ref={stack} className={styles.stack}>
      {toasts
        .filter(({ visible }) => visible)
        .map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
    </section>
  )
}

/** Beside what they stand on or above. */
const GAP = 8
const MARGIN = 16
const SUBMIT = 'button[type="submit"], button[data-autofocus]'

/** How far they are lifted on a phone: over the keyboard, and over the button in use. */
function liftOf(stack: HTMLElement): number {
  const view = window.visualViewport
  // Who has zoomed in sees less for another reason.
  const keyboard = view?.scale === 1 ? innerHeight - view.offsetTop - view.height : 0
  const floor = innerHeight - Math.max(0, keyboard)
  const button = document.activeElement
    ?.closest('form, [role="dialog"]')
    ?.querySelector(SUBMIT)
    ?.getBoundingClientRect()
  const isFree =
    !button || button.top >= floor || button.bottom <= floor - MARGIN - stack.offsetHeight
  return isFree ? innerHeight - floor : innerHeight - button.top + GAP - MARGIN
}

function useLift(toasts: readonly Toast[]) {
  const stack = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // Measuring nothing would lay the whole page out.
    if (toasts.length === 0) return
    const lift = () => {
      const { current } = stack
      current?.style.setProperty('--lift', `${liftOf(current)}px`)
    }
    lift()
    const view = window.visualViewport
    view?.addEventListener('resize', lift)
    return () => view?.removeEventListener('resize', lift)
  }, [toasts])
  return stack
}

function Message({ toast }: { toast: Toast }) {
  const Icon = ICONS[toast.type as keyof typeof ICONS] ?? Info
  return (
    <div className={styles.toast} data-kind={toast.type} {...toast.ariaProps}>
      <Icon size={20} aria-hidden="true" className={styles.icon} />
      <span>{typeof toast.message === 'function' ? toast.message(toast) : toast.message}</span>
    </div>
  )
}
