import { activationHistory } from './history.tsx'

export const Component = activationHistory('8', (t) => t.noCrypto)
