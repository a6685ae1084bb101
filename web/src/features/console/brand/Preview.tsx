import { type ComponentType, useMemo } from 'react'
import { Card } from '@/components/Card.tsx'
import { conform, type Json } from '@/components/console/draft/tree.ts'
import { About } from '@/components/landing/About.tsx'
import { Bot } from '@/components/landing/Bot.tsx'
import { Counters } from '@/components/landing/Counters.tsx'
import { Faq } from '@/components/landing/Faq.tsx'
import { Hero } from '@/components/landing/Hero.tsx'
import { Newsletter } from '@/components/landing/Newsletter.tsx'
import { Packages } from '@/components/landing/Packages.tsx'
import { Projects } from '@/components/landing/Projects.tsx'
import { RiskNotice, RiskTag } from '@/components/RiskNotice.tsx'
import type { components } from '@/lib/api/schema.d.ts'
import type { Brand } from '@/lib/brand.ts'
import { useConsoleStrings } from '@/lib/strings/console.ts'
import { StringsProvider } from '@/lib/strings/index.ts'
import styles from './Brand.module.css'
import type { Part } from './parts.ts'

function Risk() {
  return (
    <>
      <RiskNotice />
      <RiskTag />
    </>
  )
}

const SHOWN: Partial<Record<Part, ComponentType>> = {
  risk: Risk,
  counters: Counters,
  hero: Hero,
  about: About,
  projects: Projects,
  packages: Packages,
  faq: Faq,
  newsletter: Newsletter,
  bot: Bot,
}

interface PreviewProps {
  part: Part
  draft: Json
  /** The current version, shown where the draft has a different shape. */
  body: Json
  /** The values of live counters, by name. */
  live: Readonly<Record<string, string>>
}

type Content = {
  site: components['schemas']['Site']
  counters: { label: string; value: string; mode: string; live: string }[]
}

/** A preview of a part of the landing page with the draft. It is inert. */
export function Preview({ part, draft, body, live }: PreviewProps) {
  const strings = useConsoleStrings()
  const { installation: t } = strings
  const brand = useMemo((): Brand => {
    const { site, counters } = conform(body, draft) as unknown as Content
    return {
      ...site,
      counters: counters.map(({ label, value, mode, live: name }) => ({
        label,
        live: mode === 'live',
        value: mode === 'live' ? (live[name] ?? value) : value,
      })),
    }
  }, [draft, body, live])
  const Shown = SHOWN[part]
  if (!Shown) return null
  return (
    <Card title={t.preview}>
      <div inert className={styles.preview}>
        <StringsProvider value={{ ...strings, brand }}>
          <Shown />
        </StringsProvider>
      </div>
    </Card>
  )
}
