/** Whose endpoint a URL names. */
export interface UpgradePath {
  /** `undefined` on the plain path. */
  readonly tenant: string | undefined
}

const endpoint = /^\/mcp(?:\/([^/?#]*))?(?:\?|$)/

/** Reads `/mcp` and `/mcp/{tenant}`, as they are over HTTP; undefined for every other path. The query is not read. */
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
