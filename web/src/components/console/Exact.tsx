import { useConsoleStrings } from '@/lib/strings/console.ts'
import layout from './layout.module.css'

/** A text that operators compare character by character: a digest, a payload, a hash. */
export function Exact({ text }: { text: string }) {
  return <span className={`${layout.digest} ${layout.exact}`}>{text}</span>
}

/** The content that an approval signs, and its digest, folded: auditors read them. */
export function Signed({ payload, digest }: { payload: string; digest: string }) {
  const { trading: t } = useConsoleStrings()
  return (
    <details className={layout.signed}>
      <summary>{t.signedContent}</summary>
      <p className={layout.muted}>{t.payload}</p>
      <Exact text={payload} />
      <p className={layout.muted}>{t.digest}</p>
      <Exact text={digest} />
    </details>
  )
}
