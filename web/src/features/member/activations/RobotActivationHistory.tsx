import { activationHistory } from './history.ts'

export const Component = activationHistory('1', (t) => t.noRobot)
