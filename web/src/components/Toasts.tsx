import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import { type Toast, useToaster } from 'react-hot-toast/headless'
import styles from './Toasts.module.css'

const ICONS = { success: CircleCheck, error: CircleAlert }

/**
 * Renders the toasts of lib/toast.ts. They let clicks through, so that a toast never blocks a
 * dialog's Close or the header's menu.
 */
export function Toasts() {
  const { toasts } = useToaster()
  return (
    <section className={styles.stack}>
      {toasts
        .filter(({ visible }) => visible)
        .map((toast) => (
          <Message key={toast.id} toast={toast} />
        ))}
    </section>
  )
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
