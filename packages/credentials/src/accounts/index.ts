// The page where people see and end all their accounts. It loads nothing of OAuth.
export { accountsPath, createAccountOffer, createAccountTickets } from './account-tickets.ts'
export { answerAccounts } from './answer-accounts.ts'
export type { AccountsParts } from './accounts-visit.ts'
export { createCookies } from '../pages/cookies.ts'
