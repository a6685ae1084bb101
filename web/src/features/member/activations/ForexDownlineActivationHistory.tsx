import { activationHistory } from './history.tsx'

export const Component = activationHistory('11', (t) => t.noDownline)
