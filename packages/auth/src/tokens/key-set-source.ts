import { secureUrl } from '@junctor/connection'
import { reasonWithCauses } from '@junctor/contracts'
import { withoutNulls } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'
import type { JSONWebKeySet } from 'jose'
import { fetchJson } from './fetch-json.ts'
import type { IssuerOptions } from './issuer-options.ts'

/** The source of an issuer's keys. */
export interface KeySetSource {
  /** Identifies the source: two sources with the same place read the same keys. */
  readonly place: string
  /** Reads the key set, limited by the signal. Rejects when it cannot be read or has no keys. */
  read(signal: AbortSignal): Promise<JSONWebKeySet>
}

/**
 * Creates the source that reads the key set at `jwksUri`, or at the URL in the issuer's metadata. The metadata is read
 * again only when that URL fails.
 */
export function createKeySetSource({ issuer, jwksUri }: Pick<IssuerOptions, 'issuer' | 'jwksUri'>): KeySetSource {
  const given = jwksUri === undefined ? undefined : new URL(jwksUri)
  let found: URL | undefined
  return {
    place: JSON.stringify([issuer, jwksUri]),
    async read(signal) {
      const url = given ?? found ?? (await findKeySet(issuer, signal))
      found = undefined
      const keySet = withoutNulls(await fetchJson(url, signal))
      if (!hasKeys(keySet)) {
        throw new JunctorError('PROTOCOL_VIOLATED', `expected a key set with keys of ${url.href}, got something else`)
      }
      found = url
      return keySet
    },
  }
}

/**
 * Returns the URLs of an issuer's metadata, in the order of MCP's "Authorization Server Metadata Discovery": RFC 8414
 * section 3.1, then OpenID Connect with the path behind the well-known name, then before it.
 */
export function metadataUrls(issuer: string): readonly URL[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const places = [`/.well-known/oauth-authorization-server${path}`, `/.well-known/openid-configuration${path}`]
  if (path !== '') places.push(`${path}/.well-known/openid-configuration`)
  return places.map((place) => new URL(`${origin}${place}`))
}

async function findKeySet(issuer: string, signal: AbortSignal): Promise<URL> {
  const problems: unknown[] = []
  for (const place of metadataUrls(issuer)) {
    try {
      return keySetNamedBy(await fetchJson(place, signal), issuer, place)
    } catch (error) {
      problems.push(error)
      if (signal.aborted) break
    }
  }
  throw new JunctorError('PROTOCOL_VIOLATED', `the metadata of ${issuer} does not tell where its keys are`, {
    cause: new AggregateError(problems, problems.map(reasonWithCauses).join('; ')),
  })
}

/**
 * Returns the URL of the keys from the metadata at a place. Metadata is valid only for the issuer that it names (RFC
 * 8414 section 3.3), and metadata from another machine must not name a key set on this machine. Throws
 * `PROTOCOL_VIOLATED`.
 */
export function keySetNamedBy(metadata: unknown, issuer: string, place: URL): URL {
  const { issuer: named, jwks_uri: text } = (metadata ?? {}) as Readonly<Record<string, unknown>>
  if (named !== issuer) {
    throw new JunctorError('PROTOCOL_VIOLATED', `expected metadata of ${issuer} at ${place.href}, got another's`)
  }
  const url = typeof text === 'string' ? secureUrl(text) : undefined
  if (url === undefined || (url.protocol === 'http:' && place.protocol !== 'http:')) {
    throw new JunctorError('PROTOCOL_VIOLATED', `expected jwks_uri at ${place.href} to be an https URL`)
  }
  return url
}

/** An empty set is refused: it would lock out all callers, and an issuer without keys cannot sign tokens. */
function hasKeys(value: unknown): value is JSONWebKeySet {
  const { keys } = (value ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(keys) && keys.length > 0
}
