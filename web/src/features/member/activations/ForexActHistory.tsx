import { activationHistory } from './history.tsx'

export const Component = activationHistory('10', (t) => t.noForex)
