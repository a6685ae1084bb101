import { useEffect, useId, useRef, useState } from 'react'
import { buttonClass } from '@/components/button.ts'
import { RiskNotice } from '@/components/RiskNotice.tsx'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Explainer.module.css'
import { ExplainerArt } from './ExplainerArt.tsx'

/** How long each step is shown while it plays. */
const STEP_MS = 7_000

const wantsStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/** Advances the steps until the end, unless the visitor stops it. */
function usePlayer(steps: number) {
  const [step, setStep] = useState(0)
  const [playing, setPlaying] = useState(() => !wantsStillness())
  const last = steps - 1
  useEffect(() => {
    if (!playing || step >= last) return
    const timer = setTimeout(() => setStep(step + 1), STEP_MS)
    return () => clearTimeout(timer)
  }, [playing, step, last])
  const goTo = (next: number) => {
    setPlaying(false)
    setStep(Math.min(Math.max(next, 0), last))
  }
  const play = () => {
    if (step >= last) setStep(0)
    setPlaying(true)
  }
  const running = playing && step < last
  return { step, running, goTo, toggle: () => (running ? setPlaying(false) : play()) }
}

export function Explainer({ onClose }: { onClose: () => void }) {
  const { brand, landing } = useStrings()
  const { title, steps, close } = brand.explainer
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const player = usePlayer(steps.length)
  const step = steps[player.step]
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={onClose}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <button
          type="button"
          className={buttonClass('quiet')}
          onClick={() => dialog.current?.close()}
        >
          {close}
        </button>
      </div>
      <ExplainerArt step={player.step} />
      <div className={styles.words} aria-live="polite">
        <h3 className={styles.step}>
          {player.step + 1}. {step?.title}
        </h3>
        <p>{step?.text}</p>
      </div>
      <div className={styles.controls}>
        <button
          type="button"
          className={buttonClass('quiet')}
          onClick={() => player.goTo(player.step - 1)}
        >
          {landing.previous}
        </button>
        <button type="button" className={buttonClass('primary')} onClick={player.toggle}>
          {player.running ? landing.pause : landing.play}
        </button>
        <button
          type="button"
          className={buttonClass('quiet')}
          onClick={() => player.goTo(player.step + 1)}
        >
          {landing.next}
        </button>
      </div>
      <RiskNotice />
    </dialog>
  )
}
