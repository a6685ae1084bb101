import { activationScreen } from './ActivationScreen.tsx'
import { crypto } from './lines.ts'

export const Component = activationScreen(crypto, (t) => t.nobody)
