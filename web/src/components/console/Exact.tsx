import layout from './layout.module.css'

/** A text that operators compare character by character: a digest, a payload, a hash. */
export function Exact({ text }: { text: string }) {
  return <span className={`${layout.digest} ${layout.exact}`}>{text}</span>
}
