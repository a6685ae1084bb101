import { activationHistory } from './history.ts'

export const Component = activationHistory('10', (t) => t.noForex)
