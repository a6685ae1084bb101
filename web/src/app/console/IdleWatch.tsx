import { useEffect, useState } from 'react'
import { ConfirmDialog } from '@/components/ConfirmDialog.tsx'
import { lastHeard, operatorSession } from '@/lib/operator/client.ts'
import { askMe } from '@/lib/operator/queries/me.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'

/** The operator is warned this long before the end of the session. */
const WARN_SECONDS = 60

const secondsLeft = (idle: number) => idle - (Date.now() - lastHeard()) / 1000

/**
 * The server ends a session that makes no calls. Reading and typing make none, so any input on the
 * page counts as activity; an idle operator is warned a minute before the end, and then signed out.
 */
export function IdleWatch({ seconds }: { seconds: number }) {
  const { console: t } = useConsoleStrings()
  const [left, setLeft] = useState(seconds)
  const warning = left <= Math.min(WARN_SECONDS, seconds / 2)

  useEffect(() => {
    const timer = setInterval(() => {
      const now = secondsLeft(seconds)
      setLeft(now)
      if (now <= 0) operatorSession.clear()
    }, 1_000)
    return () => clearInterval(timer)
  }, [seconds])

  useEffect(() => {
    if (warning) return
    const stay = () => {
      if (secondsLeft(seconds) < (seconds * 2) / 3) void askMe().catch(() => undefined)
    }
    document.addEventListener('pointerdown', stay)
    document.addEventListener('keydown', stay)
    return () => {
      document.removeEventListener('pointerdown', stay)
      document.removeEventListener('keydown', stay)
    }
  }, [seconds, warning])

  const stay = () => {
    void askMe()
      .then(() => setLeft(seconds))
      .catch(() => undefined)
  }
  return (
    <ConfirmDialog
      opened={warning}
      title={t.idle.title}
      confirm={t.idle.stay}
      onConfirm={stay}
      onClose={stay}
    >
      <p>{t.idle.text({ seconds: Math.max(0, Math.ceil(left)) })}</p>
    </ConfirmDialog>
  )
}
