import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { usePart } from '@/components/usePart.ts'
import { useStrings } from '@/lib/strings/index.ts'
import styles from './Bot.module.css'
import { LandingSection } from './LandingSection.tsx'

export function Bot() {
  const { brand, landing, error } = useStrings()
  const { heading, paragraphs } = brand.bot
  const { part, failed, fetchPart } = usePart(() => import('./BotCharts.tsx'), { quiet: true })
  const place = useRef<HTMLDivElement>(null)
  // Below the fold: the chart is fetched when somebody comes near it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetchPart fetches once
  useEffect(() => {
    const element = place.current
    if (!element || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void fetchPart()
      },
      { rootMargin: '400px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <LandingSection id="Bot" heading={heading}>
      <div className={styles.columns}>
        <div className={styles.words}>
          {paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            <Link to="/Bifolia">{landing.liveFigures}</Link>
          </p>
        </div>
        <div ref={place} className={styles.place}>
          {failed && <p role="alert">{error.part}</p>}
          {part && <part.BotCharts />}
        </div>
      </div>
    </LandingSection>
  )
}
