import type { Principal } from '@junctor/exchange'

/** The issuers of callers without credentials: one principal, with an unknown number of clients. */
const nameless: ReadonlySet<string> = new Set(['local', 'anonymous'])

/** Whether a principal stands for all callers without credentials: a limit of one client does not fit it. */
export function isNameless({ issuer }: Pick<Principal, 'issuer'>): boolean {
  return nameless.has(issuer)
}
