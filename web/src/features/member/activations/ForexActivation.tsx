import { activationScreen } from './ActivationScreen.tsx'
import { forex } from './lines.ts'

export const Component = activationScreen(forex, (t) => t.nobody)
