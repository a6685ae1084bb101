import { activationHistory } from './activations.ts'

export const Component = activationHistory('9', (t) => t.noDownline)
