import { type FormEvent, useId, useState } from 'react'
import { buttonClass } from '@/components/button.ts'
import { useStrings } from '@/lib/strings/index.ts'
import { LandingSection } from './LandingSection.tsx'
import styles from './Newsletter.module.css'

/** This call subscribes nobody: the address gets a mail with a link, and that link subscribes. */
export function Newsletter() {
  const { brand, actions, moneyForm } = useStrings()
  const { heading, text, placeholder, submit: submitLabel, thanks } = brand.newsletter
  const [email, setEmail] = useState('')
  const [said, setSaid] = useState<{ text: string; good: boolean } | null>(null)
  const answerId = useId()
  const [busy, setBusy] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    // The code of calls is loaded here: few visitors of the first page need it.
    const wrong = await import('./subscribe.ts').then(
      ({ subscribe }) => subscribe(email, moneyForm.failed),
      () => moneyForm.failed,
    )
    setBusy(false)
    if (wrong === '') setEmail('')
    setSaid({ text: wrong || thanks, good: wrong === '' })
  }
  return (
    <LandingSection id="Contact" heading={heading} beside>
      <div className={styles.words}>
        <p className={styles.text}>{text}</p>
        <form className={styles.form} onSubmit={send}>
          <input
            type="email"
            required
            className={styles.input}
            placeholder={placeholder}
            aria-label={placeholder}
            aria-describedby={answerId}
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <button type="submit" className={buttonClass('primary')} disabled={busy}>
            {busy ? actions.processing : submitLabel}
          </button>
        </form>
        <p id={answerId} role="status" className={styles.answer} data-good={said?.good ?? true}>
          {said?.text}
        </p>
      </div>
    </LandingSection>
  )
}
