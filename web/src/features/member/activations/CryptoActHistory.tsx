import { activationHistory } from './history.ts'

export const Component = activationHistory('8', (t) => t.noCrypto)
