/** The token that a server requires, by its challenge (RFC 6750, section 3; RFC 9728, section 5.1). All of it is untrusted. */
export interface Challenge {
  /** The URL of the metadata of the protected resource. */
  readonly resourceMetadata: string | undefined
  /** The scopes that the request needs, separated by spaces. */
  readonly scope: string | undefined
  readonly error: string | undefined
}

const longest = 8192

/** Reads `WWW-Authenticate`. Schemes other than `Bearer` and `DPoP` are not read. */
export function readChallenge(header: string | undefined): Challenge {
  const text = header === undefined || header.length > longest ? '' : header
  const start = /(?:^|,)\s*(?:Bearer|DPoP)\s+/i.exec(text)
  const found = new Map<string, string>()
  if (start !== null) {
    // Only at the beginning of a word: one that is tried at each of its characters takes quadratic time.
    for (const [, name = '', quoted, plain] of text
      .slice(start.index + start[0].length)
      .matchAll(/(?<![\w-])([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g)) {
      const key = name.toLowerCase()
      if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '')
    }
  }
  return { resourceMetadata: found.get('resource_metadata'), scope: found.get('scope'), error: found.get('error') }
}
