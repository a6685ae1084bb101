import { activationHistory } from './activations.ts'

export const Component = activationHistory('8', (t) => t.noCrypto)
