import type { Principal } from '@junctor/exchange'

/** The issuers of callers without credentials: one principal, with an unknown number of clients. */
const unauthenticated: ReadonlySet<string> = new Set(['local', 'anonymous'])

/** Whether a principal stands for all callers without credentials: a limit of one client does not fit it. */
export function isUnauthenticated({ issuer }: Pick<Principal, 'issuer'>): boolean {
  return unauthenticated.has(issuer)
}
