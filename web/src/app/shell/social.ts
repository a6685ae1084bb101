import type { Brand } from '@/lib/brand.ts'

type Network = Brand['footer']['social'][number]['network']

/** Own drawings with one line each: recognisable, none of them a copied logo. */
export const SOCIAL_ICONS: Record<Network, string> = {
  facebook:
    'M14 21v-8h3l.5-3.5H14V8c0-1.2.5-2 2-2h1.500V3.200C17 3 16.200 3 15.500 3 12.500 3 11 4.800 11 7.500v2H8V13h3v8',
  instagram:
    'M8 3h8a5 5 0 0 1 5 5v8a5 5 0 0 1-5 5H8a5 5 0 0 1-5-5V8a5 5 0 0 1 5-5Zm4 5a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm5-1.500v.1',
  linkedin: 'M5 10v10M5 4.500v1M10 20V10M10 14a4 4 0 0 1 8 0v6',
  youtube:
    'M5 6h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Zm5 3.500v5l4.500-2.500Z',
  twitter: 'M4 4l16 16M20 4 4 20',
  telegram: 'M21 4 3 11l6 2 2 6 3-4 4 3Zm0 0L9 13',
  github: 'M8 6 2 12l6 6M16 6l6 6-6 6M14 4l-4 16',
}

export const STORE_ICONS = {
  apple: 'M7 2h10a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1Zm4 17h2',
  play: 'M5 3v18l15-9Z',
}
