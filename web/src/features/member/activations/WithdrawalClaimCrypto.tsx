import { claimScreen } from './claims.tsx'

export const Component = claimScreen('CRYPTOWithdrawalCliam')
