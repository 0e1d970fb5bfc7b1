import { nameInPath } from '@junctor/protocol'

/** The endpoint that a URL names. */
export interface UpgradePath {
  /** `undefined` on the path without a tenant. */
  readonly tenant: string | undefined
}

const endpoint = /^\/mcp(?:\/([^/?#]*))?(?:\/-\/([^/?#]+))?(?:\?|$)/

/**
 * Parses `/mcp`, `/mcp/{tenant}` and `/mcp/{tenant}/-/{backend}`, as over HTTP; undefined for every other path. The
 * query is not read.
 */
export function upgradePath(url: string): UpgradePath | undefined {
  const found = endpoint.exec(url)
  if (found === null) return undefined
  const [, segment = '', backend] = found
  try {
    if (segment === '' && backend === undefined) return { tenant: undefined }
    return { tenant: nameInPath(decodeURIComponent(segment), backend && decodeURIComponent(backend)) }
  } catch {
    return undefined
  }
}
