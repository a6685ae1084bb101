import { activationHistory } from './history.ts'

export const Component = activationHistory('11', (t) => t.noDownline)
