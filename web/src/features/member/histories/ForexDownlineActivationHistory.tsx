import { activationHistory } from './activations.ts'

export const Component = activationHistory('11', (t) => t.noDownline)
