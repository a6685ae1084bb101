import { useStrings } from '@/lib/strings/index.ts'
import { SectionView } from './SectionView.tsx'
import { landingSections } from './sections.ts'

export function Landing() {
  const strings = useStrings()
  return landingSections(strings).map((section) => (
    <SectionView key={section.kind} section={section} />
  ))
}
