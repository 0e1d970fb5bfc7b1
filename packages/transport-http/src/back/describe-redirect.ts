const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Says what an operator has to correct when a server answers with a redirect, which is not followed. The target is not
 * shown: clients see this text, and hosts and paths of backends may be secret. Undefined: the response is no redirect.
 *
 * @param location the header `Location`
 */
export function describeRedirect(status: number, location: string | undefined): string | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  return 'it redirects, so the URL in the configuration must be the one that the redirect leads to'
}
