import { useStrings } from '@/lib/strings/index.ts'
import styles from './ProductPicture.module.css'

/** Income of a sample account by day. */
const DAYS = [34, 52, 28, 61, 16, 44, 70, 38, 24, 58, 82, 47, 66, 90]

/** The member's dashboard, drawn: sharp at every size, in both themes and in every language. */
export function ProductPicture({ className }: { className?: string | undefined }) {
  const { picture: t } = useStrings().landing
  return (
    <svg viewBox="0 0 560 400" role="img" aria-label={t.label} className={className}>
      <rect x="1" y="1" width="558" height="398" rx="16" className={styles.frame} />
      <path d="M1 44H559" className={styles.line} />
      {[26, 44, 62].map((x) => (
        <circle key={x} cx={x} cy="23" r="5" className={styles.dot} />
      ))}
      <text x="534" y="28" textAnchor="end" className={styles.small}>
        {t.sample}
      </text>
      <path d="M1 44H120V399H17A16 16 0 0 1 1 383Z" className={styles.side} />
      <rect x="18" y="66" width="84" height="26" rx="6" className={styles.current} />
      {[110, 140, 170, 200, 230].map((y, index) => (
        <rect
          key={y}
          x="26"
          y={y}
          width={64 - (index % 3) * 12}
          height="8"
          rx="4"
          className={styles.dot}
        />
      ))}
      <text x="146" y="82" className={styles.label}>
        {t.available}
      </text>
      <text x="146" y="120" className={styles.figure}>
        $1,284.50
      </text>
      <rect x="430" y="70" width="104" height="40" rx="8" className={styles.button} />
      <path d="M456 90H500M490 82L500 90L490 98" className={styles.arrow} />
      <rect x="146" y="142" width="388" height="132" rx="10" className={styles.panel} />
      <text x="162" y="166" className={styles.label}>
        {t.today}
      </text>
      <path d="M162 242H518" className={styles.line} />
      {DAYS.map((value, index) => (
        <rect
          key={value}
          x={168 + index * 25}
          y={242 - value * 0.68}
          width="14"
          height={value * 0.68}
          rx="2"
          className={styles.gain}
        />
      ))}
      {[
        { x: 146, name: t.left, part: 0.78, tone: styles.gain },
        { x: 348, name: t.right, part: 0.54, tone: styles.right },
      ].map(({ x, name, part, tone }) => (
        <g key={x}>
          <rect x={x} y="290" width="186" height="84" rx="10" className={styles.panel} />
          <text x={x + 16} y="316" className={styles.label}>
            {name}
          </text>
          <rect x={x + 16} y="336" width="154" height="12" rx="6" className={styles.track} />
          <rect x={x + 16} y="336" width={154 * part} height="12" rx="6" className={tone} />
        </g>
      ))}
    </svg>
  )
}
