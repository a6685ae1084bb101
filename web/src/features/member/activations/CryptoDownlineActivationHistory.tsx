import { activationHistory } from './history.ts'

export const Component = activationHistory('9', (t) => t.noDownline)
