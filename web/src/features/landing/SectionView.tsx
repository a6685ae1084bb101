import { About } from './About.tsx'
import { Contact } from './Contact.tsx'
import { Faq } from './Faq.tsx'
import { Hero } from './Hero.tsx'
import { Services } from './Services.tsx'
import type { Section } from './sections.ts'

export function SectionView({ section }: { section: Section }) {
  switch (section.kind) {
    case 'hero':
      return <Hero {...section} />
    case 'services':
      return <Services {...section} />
    case 'about':
      return <About {...section} />
    case 'faq':
      return <Faq {...section} />
    case 'contact':
      return <Contact {...section} />
  }
}
