import { activationHistory } from './activations.ts'

export const Component = activationHistory('10', (t) => t.noForex)
