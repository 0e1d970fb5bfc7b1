/** The endpoint that a URL names. */
export interface UpgradePath {
  /** `undefined` on the path without a tenant. */
  readonly tenant: string | undefined
}

const endpoint = /^\/mcp(?:\/([^/?#]*))?(?:\?|$)/

/** Parses `/mcp` and `/mcp/{tenant}`, as over HTTP; undefined for every other path. The query is not read. */
export function upgradePath(url: string): UpgradePath | undefined {
  const found = endpoint.exec(url)
  if (found === null) return undefined
  const [, segment = ''] = found
  try {
    return { tenant: segment === '' ? undefined : decodeURIComponent(segment) }
  } catch {
    return undefined
  }
}
