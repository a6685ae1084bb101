import { activationHistory } from './activations.ts'

export const Component = activationHistory('1', (t) => t.noRobot)
