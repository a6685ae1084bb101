import { activationHistory } from './history.ts'

export const Component = activationHistory('5', (t) => t.noDownline)
