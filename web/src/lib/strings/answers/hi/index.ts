import type { Terms } from '../../serverText.ts'
import { answers } from './members.ts'
import { operatorAnswers } from './operators.ts'

/** The server's sentences in Hindi. */
export const sentences: Terms = {
  'operator {}': 'ऑपरेटर {1}',
  'Correction: {}': 'सुधार: {1}',
  'close of {}': '{1} का समापन',
  ...operatorAnswers,
  ...answers,
}
