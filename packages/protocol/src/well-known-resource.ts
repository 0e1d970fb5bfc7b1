/** Where the metadata of a protected resource are: this, and then the path of the resource (RFC 9728 section 3.1). */
export const wellKnownResource = '/.well-known/oauth-protected-resource'
