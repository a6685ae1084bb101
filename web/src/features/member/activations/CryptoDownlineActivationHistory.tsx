import { activationHistory } from './history.tsx'

export const Component = activationHistory('9', (t) => t.noDownline)
