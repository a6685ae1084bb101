/** The parts of the public pages, and their paths in the document. */
export const PARTS = [
  { name: 'risk', paths: ['site.risk'] },
  { name: 'counters', paths: ['counters'] },
  { name: 'hero', paths: ['site.hero'] },
  { name: 'explainer', paths: ['site.explainer'] },
  { name: 'about', paths: ['site.about'] },
  { name: 'projects', paths: ['site.projects'] },
  { name: 'packages', paths: ['site.packages'] },
  { name: 'faq', paths: ['site.faq'] },
  { name: 'newsletter', paths: ['site.newsletter'] },
  { name: 'bot', paths: ['site.bot'] },
  { name: 'footer', paths: ['site.footer'] },
  { name: 'pages', paths: ['site.pages'] },
  { name: 'dashboard', paths: ['site.dashboard'] },
  {
    name: 'name',
    paths: [
      'site.name',
      'site.logo_text',
      'site.title',
      'site.tagline',
      'site.founded',
      'site.colours',
    ],
  },
  { name: 'all', paths: [] },
] as const satisfies readonly { name: string; paths: readonly string[] }[]

export type Part = (typeof PARTS)[number]['name']
