import { activationHistory } from './history.tsx'

export const Component = activationHistory('5', (t) => t.noDownline)
