import styles from './HeroArt.module.css'

/** Mirrors the left leaf: both legs are drawn from the same points. */
const MIRROR = 'translate(520 0) scale(-1 1)'

/** The binary tree inside the left leaf: midrib, branches and the members at their ends. */
const VEINS = [
  'M260 318L204 254',
  'M204 254Q160 256 121 221',
  'M121 221Q98 199 68 183',
  'M121 221Q94 182 78 134',
  'M204 254Q211 212 181 168',
  'M181 168Q163 143 150 111',
  'M181 168Q146 136 101 115',
]
const MEMBERS = [
  { x: 204, y: 254, r: 9 },
  { x: 121, y: 221, r: 7 },
  { x: 68, y: 183, r: 5 },
  { x: 78, y: 134, r: 5 },
  { x: 181, y: 168, r: 7 },
  { x: 150, y: 111, r: 5 },
  { x: 101, y: 115, r: 5 },
]
/** Lines of a ledger behind the plant, closer together towards the ground. */
const RULES = [60, 124, 186, 246, 304, 360]

export function HeroArt({ label, className }: { label: string; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 520 430" role="img" aria-label={label} className={className}>
      <g className={styles.rules}>
        {RULES.map((y) => (
          <path key={y} d={`M12 ${y}H508`} />
        ))}
        <path d="M260 24V404" className={styles.divide} />
      </g>
      <path d="M12 404H508" className={styles.ground} />
      <path d="M260 404V318" className={styles.stem} />
      <Leaf className={styles.left} />
      <Leaf className={styles.right} transform={MIRROR} />
      <circle cx="260" cy="318" r="11" className={styles.self} />
    </svg>
  )
}

function Leaf({ className, transform }: { className: string | undefined; transform?: string }) {
  return (
    <g transform={transform} className={className}>
      <path d="M260 318C128 326 36 244 36 64C176 64 262 166 260 318Z" className={styles.blade} />
      <g className={styles.veins}>
        {VEINS.map((d) => (
          <path key={d} d={d} />
        ))}
      </g>
      <g className={styles.members}>
        {MEMBERS.map(({ x, y, r }) => (
          <circle key={`${x} ${y}`} cx={x} cy={y} r={r} />
        ))}
      </g>
    </g>
  )
}
