/** Where the metadata of a protected resource are: this, and then the path of the resource (RFC 9728 section 3.1). */
export const wellKnownResource = '/.well-known/oauth-protected-resource'

/** The URL of the metadata of an endpoint at this path below the one at `base`. */
export function resourceMetadataUrl(base: string, path: string): string {
  const { origin, pathname } = new URL(base)
  return `${origin}${wellKnownResource}${pathname}${path}`
}
