import type { Translations } from '../../brand.ts'
import { landingTexts } from './brandLanding.ts'
import { pageTexts } from './brandPages.ts'

/**
 * The demo brand in Hindi, by its English texts. A brand's file has one language: what an operator
 * wrote instead is shown as it was written, and a text that changes in the demo fails a test here.
 */
export const brandTexts: Translations = { ...landingTexts, ...pageTexts }
