import { activationHistory } from './activations.ts'

export const Component = activationHistory('5', (t) => t.noDownline)
