/** The brand's two leaves. Same drawing as public/favicon.svg. */
export function Leaves({ size, className }: { size: number; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} className={className} aria-hidden="true">
      <path
        d="M15.3 22.5C7.5 22.5 2.5 17.5 2.5 7.5c8.3 0 12.8 5.5 12.8 15Z"
        fill="var(--art-leaf-left)"
      />
      <path d="M16.7 22.5c0-9.5 4.5-15 12.8-15 0 10-5 15-12.8 15Z" fill="var(--art-leaf-right)" />
      <path d="M16 21v7.5" stroke="var(--art-leaf-left)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  )
}
