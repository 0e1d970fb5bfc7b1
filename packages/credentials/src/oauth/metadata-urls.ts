/** Where the metadata of a protected resource is, unless its challenge says: RFC 9728, section 3.1, then the root. */
export function resourceMetadataUrls(serverUrl: string): readonly string[] {
  const { origin, pathname } = new URL(serverUrl)
  const root = `${origin}/.well-known/oauth-protected-resource`
  const path = withoutEndSlash(pathname)
  return path === '' ? [root] : [`${root}${path}`, root]
}

/** Where the metadata of an authorization server is, in the order of MCP (RFC 8414, section 3.1; OpenID Connect Discovery). */
export function authorizationServerUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = withoutEndSlash(pathname)
  const [oauth, openid] = ['oauth-authorization-server', 'openid-configuration'].map((name) => `/.well-known/${name}`)
  return path === ''
    ? [`${origin}${oauth}`, `${origin}${openid}`]
    : [`${origin}${oauth}${path}`, `${origin}${openid}${path}`, `${origin}${path}${openid}`]
}

function withoutEndSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
