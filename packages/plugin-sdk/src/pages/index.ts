// Pages for people, which plugins serve with `servePages`.
export { escapeHtml, form, page } from './html.ts'
export { createPacedWarning, type PacedWarning } from '@junctor/contracts'
export { readBody } from './read-body.ts'
export { redirect } from './redirect.ts'
export { pageHeaders, sendPage } from './send-page.ts'
export { isUnstored, sendUnstored, unstoredPage } from './unstored-page.ts'
