import { activationHistory } from './history.tsx'

export const Component = activationHistory('1', (t) => t.noRobot)
