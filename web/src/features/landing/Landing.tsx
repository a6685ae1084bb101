import { About } from './About.tsx'
import { Bot } from './Bot.tsx'
import { Counters } from './Counters.tsx'
import { Faq } from './Faq.tsx'
import { Hero } from './Hero.tsx'
import { Newsletter } from './Newsletter.tsx'
import { Packages } from './Packages.tsx'
import { Projects } from './Projects.tsx'

/** The sections in their order. What they say is the brand's (lib/brand.ts). */
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
    </>
  )
}
