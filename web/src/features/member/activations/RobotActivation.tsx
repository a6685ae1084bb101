import { activationScreen } from './ActivationScreen.tsx'
import { robot } from './lines.ts'

export const Component = activationScreen(robot, (t) => t.nobody)
