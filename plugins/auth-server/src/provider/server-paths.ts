import type { GatewaySite } from '@junctor/plugin-sdk'

/** The URL and the paths of the authorization server. */
export interface ServerPaths {
  /** Its issuer, which is the public URL of the gateway. */
  readonly issuer: string
  /** The path of the public URL, without a slash at its end. Proxies remove it. */
  readonly prefix: string
  readonly authorize: string
  readonly token: string
  readonly register: string
  readonly revoke: string
  readonly introspect: string
  readonly keys: string
  /** Where OpenID providers send people back; the name of the provider follows. */
  readonly callback: string
  /** Where OpenID providers report logouts; the name of the provider follows. */
  readonly backchannelLogout: string
  /** The pages for people; the id of the interaction follows. */
  readonly interaction: string
}

/** Returns the paths, from those that the configuration names. */
export function serverPaths(
  publicUrl: string,
  { authorize, token, register, revoke }: GatewaySite['oauthPaths'],
): ServerPaths {
  const beside = (word: string): string => `${token.slice(0, token.lastIndexOf('/'))}/${word}`
  const { pathname } = new URL(publicUrl)
  return {
    issuer: publicUrl,
    prefix: pathname === '/' ? '' : pathname.replace(/\/$/, ''),
    authorize,
    token,
    register,
    revoke,
    introspect: beside('introspect'),
    keys: beside('keys'),
    callback: beside('callback'),
    backchannelLogout: beside('backchannel-logout'),
    interaction: beside('interaction'),
  }
}

/** The paths of the server's metadata. Clients append the path of the issuer (RFC 8414 section 3.1). */
export const metadataPaths: readonly string[] = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
]

/** All paths at which the server answers. */
export function allPaths(paths: ServerPaths): string[] {
  const { prefix, authorize, callback, backchannelLogout, interaction } = paths
  const { token, register, revoke, introspect, keys } = paths
  const places = prefix === '' ? metadataPaths : [...metadataPaths, ...metadataPaths.map((path) => `${path}${prefix}`)]
  const pages = [`${authorize}/*`, `${interaction}/*`, `${callback}/*`, `${backchannelLogout}/*`]
  return [...places, authorize, token, register, revoke, introspect, keys, ...pages]
}

/** The path of an endpoint of the gateway, below its public URL: without a tenant, of a tenant, or of one backend. */
const endpoint = /^\/(?:mcp|sse)(?:\/(?!-(?:\/|$))[^/]+)?(?:\/-\/[^/]+)?$/

/** Whether a resource is an endpoint of this gateway (RFC 8707). Whether the tenant exists is not checked here. */
export function isEndpoint(issuer: string, resource: string): boolean {
  const url = URL.parse(resource)
  if (url === null || url.search !== '' || url.hash !== '' || !resource.startsWith(`${issuer}/`)) return false
  return endpoint.test(resource.slice(issuer.length))
}
