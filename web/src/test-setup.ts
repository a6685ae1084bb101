import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { toast } from 'react-hot-toast/headless'
import { afterEach, vi } from 'vitest'

// A busy machine must not fail tests.
configure({ asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  toast.remove() // what one test was told is no answer to the next
})

const [demo] = Object.values(
  import.meta.glob<Record<'site' | 'counters', unknown>>('../../internal/office/brand/demo.json', {
    eager: true,
    import: 'default',
  }),
)

if (typeof window !== 'undefined') {
  // The server puts the brand into the page.
  const data = Object.assign(document.createElement('script'), { type: 'application/json' })
  data.id = 'brand'
  data.textContent = JSON.stringify({ site: demo?.site, counters: demo?.counters })
  document.head.append(data)
  // Browser features that jsdom lacks.
  window.scrollTo = () => {}
  Element.prototype.scrollIntoView = () => {}
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media: query,
      onchange: null,
      addListener: vi.fn(),
      removeListener: vi.fn(),
    })
}
