import styles from './ExplainerArt.module.css'

/** One drawing that grows: each part appears with its step and stays. */
export function ExplainerArt({ step }: { step: number }) {
  const from = (first: number) => ({ className: styles.part, 'data-shown': step >= first })
  return (
    <svg viewBox="0 0 480 240" className={styles.art} aria-hidden="true">
      <path d="M24 208H456" className={styles.ground} />
      <g {...from(0)}>
        <path d="M240 208V150" className={styles.stem} />
        <circle cx="240" cy="146" r="12" className={styles.self} />
        <circle cx="240" cy="86" r="10" className={styles.sponsor} />
        <path d="M240 96V132" className={styles.tie} />
      </g>
      <g {...from(1)}>
        <rect x="36" y="164" width="60" height="44" rx="5" className={styles.box} />
        <path d="M36 178H96M66 164V208" className={styles.tape} />
      </g>
      <g {...from(2)}>
        {[26, -14, 34, -22, 18, 30].map((height, index) => (
          <rect
            key={height}
            x={340 + index * 19}
            y={height > 0 ? 168 - height : 168}
            width="12"
            height={Math.abs(height)}
            className={styles.bar}
            data-loss={height < 0}
          />
        ))}
        <path d="M332 168H456" className={styles.zero} />
      </g>
      <g {...from(3)}>
        <path d="M240 146C170 150 122 108 122 26C196 26 242 74 240 146Z" className={styles.left} />
        <path d="M240 146C310 150 358 108 358 26C284 26 238 74 240 146Z" className={styles.right} />
        <path d="M240 146L176 76M240 146L304 76" className={styles.vein} />
      </g>
      <g {...from(4)}>
        <circle cx="196" cy="92" r="44" className={styles.glass} />
        <path d="M228 124L262 158" className={styles.handle} />
      </g>
    </svg>
  )
}
