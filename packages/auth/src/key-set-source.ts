import { JunctorError } from '@junctor/protocol'
import type { JSONWebKeySet } from 'jose'
import { fetchJson } from './fetch-json.ts'
import type { IssuerOptions } from './issuer-options.ts'
import { secureUrl } from './secure-url.ts'

/** Where the keys of an issuer come from. */
export interface KeySetSource {
  /** Names the source: two of one place read the same keys. */
  readonly place: string
  /** Reads the key set, within the signal. Rejects when it cannot be had, or has no keys. */
  read(signal: AbortSignal): Promise<JSONWebKeySet>
}

/** The key set at the `jwksUri`, or where the issuer's metadata says; asked again only when that place fails. */
export function createKeySetSource({ issuer, jwksUri }: Pick<IssuerOptions, 'issuer' | 'jwksUri'>): KeySetSource {
  const given = jwksUri === undefined ? undefined : new URL(jwksUri)
  let found: URL | undefined
  return {
    place: JSON.stringify([issuer, jwksUri]),
    async read(signal) {
      const url = given ?? found ?? (await findKeySet(issuer, signal))
      found = undefined
      const keySet = await fetchJson(url, signal)
      if (!hasKeys(keySet)) {
        throw new JunctorError('PROTOCOL_VIOLATED', `expected a key set with keys of ${url.href}, got something else`)
      }
      found = url
      return keySet
    },
  }
}

/**
 * Where an issuer's metadata may be, in the order of MCP's "Authorization Server Metadata Discovery": RFC 8414 section
 * 3.1, then OpenID Connect with the path behind the well-known name, then before it.
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
    cause: new AggregateError(problems, problems.map(String).join('; ')),
  })
}

/**
 * The URL of the keys that metadata at a place tells. Metadata counts only for the issuer that it names (RFC 8414 section
 * 3.3), and one from elsewhere may not send us to this machine. Throws `PROTOCOL_VIOLATED`.
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

/** An empty set is no set: it would lock everybody out, and an issuer without keys signs nothing. */
function hasKeys(value: unknown): value is JSONWebKeySet {
  const { keys } = (value ?? {}) as Readonly<Record<string, unknown>>
  return Array.isArray(keys) && keys.length > 0
}
