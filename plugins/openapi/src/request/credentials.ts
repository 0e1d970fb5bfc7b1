import type { OpenApiConfig, SchemeSecret } from '../config.ts'
import type { Security, SecurityScheme } from '../operations/security.ts'

/** What authenticates a request. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly cookies: readonly (readonly [string, string])[]
  /** The secret texts in them, also as URLs write them. */
  readonly secrets: readonly string[]
}

/** The security schemes of a document, and the secrets of the configuration for them. */
export interface SchemeSecrets {
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly auth: OpenApiConfig['auth']
}

/**
 * The credentials for an operation: those of the first alternative whose secrets are all configured. None when there is no
 * such alternative, or the operation needs none: the API then answers the request without credentials.
 */
export function credentialsFor(security: Security, { schemes, auth }: SchemeSecrets): Credentials {
  const chosen = security.find((names) => names.length > 0 && names.every((name) => Object.hasOwn(auth, name))) ?? []
  const parts = chosen.flatMap((name) => {
    const [scheme, secret] = [schemes.get(name), auth[name]]
    return scheme === undefined || secret === undefined ? [] : [credentialOf(scheme, secret)]
  })
  return {
    headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as Record<string, string>,
    query: parts.flatMap(({ query = [] }) => query),
    cookies: parts.flatMap(({ cookies = [] }) => cookies),
    secrets: parts.flatMap(({ secrets = [] }) => secrets),
  }
}

function credentialOf(scheme: SecurityScheme, secret: SchemeSecret): Partial<Credentials> {
  const text = typeof secret === 'string' ? secret : `${secret.username}:${secret.password}`
  const secrets = formsOf(typeof secret === 'string' ? secret : secret.password)
  if (scheme.kind === 'bearer') return { headers: { authorization: `Bearer ${text}` }, secrets }
  if (scheme.kind === 'basic') {
    const pair = Buffer.from(text).toString('base64')
    return { headers: { authorization: `Basic ${pair}` }, secrets: [pair, ...secrets] }
  }
  if (scheme.kind === 'other') return {}
  if (scheme.place === 'header') return { headers: { [scheme.name.toLowerCase()]: text }, secrets }
  const pairs = [[scheme.name, text]] as const
  return scheme.place === 'query' ? { query: pairs, secrets } : { cookies: pairs, secrets }
}

/** Names of headers whose values are secrets. */
const secretName = /auth|cookie|key|secret|token/i

/** The secret texts in headers of the configuration. A header may be a word and the secret: `Bearer …`. */
export function secretsInHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const [, credential] = /^\w+ +(\S+)$/.exec(value) ?? []
    return secretName.test(name) ? [...formsOf(credential ?? value), value] : []
  })
}

/** A text as it is, and as queries (RFC 3986) and forms write it. */
function formsOf(text: string): readonly string[] {
  const inForm = new URLSearchParams({ a: text }).toString().slice('a='.length)
  return [...new Set([text, encodeURIComponent(text), inForm])]
}
