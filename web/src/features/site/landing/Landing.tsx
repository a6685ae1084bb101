import { About } from '@/components/landing/About.tsx'
import { Bot } from '@/components/landing/Bot.tsx'
import { Closing } from '@/components/landing/Closing.tsx'
import { Counters } from '@/components/landing/Counters.tsx'
import { Faq } from '@/components/landing/Faq.tsx'
import { Hero } from '@/components/landing/Hero.tsx'
import { Newsletter } from '@/components/landing/Newsletter.tsx'
import { Packages } from '@/components/landing/Packages.tsx'
import { Projects } from '@/components/landing/Projects.tsx'

/** The sections of the landing page in order. The brand has their texts (lib/brand.ts). */
export function Landing() {
  return (
    <>
      <Hero />
      <Counters />
      <About />
      <Projects />
      <Packages />
      <Faq />
      <Newsletter />
      <Bot />
      <Closing />
    </>
  )
}
