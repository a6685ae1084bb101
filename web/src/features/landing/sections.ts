import type { Strings } from '@/lib/strings/index.ts'

/**
 * The landing page as data: what stands where, in order. A new section is an entry here and,
 * if it looks like none of the others, a view in SectionView.
 */

export interface Action {
  to: string
  label: string
  look: 'primary' | 'quiet'
}

export interface Service {
  title: string
  text: string
  note: string
  /** A decimal string; absent where the member decides the amount. */
  price?: string
  /** Every service that trades carries the tag. */
  risky: boolean
}

export interface TextItem {
  title: string
  text: string
}

export type Section =
  | { kind: 'hero'; heading: string; lead: string; art: string; actions: Action[] }
  | { kind: 'services'; id: string; heading: string; lead: string; items: Service[] }
  | { kind: 'about'; id: string; heading: string; lead: string; rules: TextItem[] }
  | { kind: 'faq'; id: string; heading: string; items: TextItem[] }
  | { kind: 'contact'; id: string; heading: string; text: string; actions: Action[] }

export type SectionOf<Kind extends Section['kind']> = Extract<Section, { kind: Kind }>

export function landingSections({ hero, services, about, faq, contact }: Strings): Section[] {
  return [
    {
      kind: 'hero',
      heading: hero.heading,
      lead: hero.lead,
      art: hero.art,
      actions: [
        { to: '/Signup', label: hero.signUp, look: 'primary' },
        { to: '/#About', label: hero.more, look: 'quiet' },
      ],
    },
    {
      kind: 'services',
      id: 'Services',
      heading: services.heading,
      lead: services.lead,
      items: [
        { ...services.items.education, price: '50', risky: false },
        { ...services.items.robot, risky: true },
        { ...services.items.arbitrage, risky: true },
      ],
    },
    {
      kind: 'about',
      id: 'About',
      heading: about.heading,
      lead: about.lead,
      rules: Object.values(about.rules),
    },
    {
      kind: 'faq',
      id: 'Faq',
      heading: faq.heading,
      items: Object.values(faq.items).map((item) => ({ title: item.question, text: item.answer })),
    },
    {
      kind: 'contact',
      id: 'Contact',
      heading: contact.heading,
      text: contact.text,
      actions: [
        { to: '/Signup', label: contact.signUp, look: 'primary' },
        { to: '/Login', label: contact.login, look: 'quiet' },
      ],
    },
  ]
}
