import type { OpenApiConfig, SchemeSecret } from '../config.ts'
import type { Security, SecurityScheme } from '../operations/security.ts'

/** What proves to the API who calls. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>
  readonly query: readonly (readonly [string, string])[]
  readonly cookies: readonly (readonly [string, string])[]
}

/** The secrets of the configuration for the schemes of a document. */
export interface SecretBox {
  readonly schemes: ReadonlyMap<string, SecurityScheme>
  readonly auth: OpenApiConfig['auth']
}

/**
 * The credentials for an operation: those of the first alternative for which there are all secrets. None when the
 * operation asks for none, or there are not enough secrets: the API then says what it thinks.
 */
export function credentialsFor(security: Security, { schemes, auth }: SecretBox): Credentials {
  const chosen = security.find((names) => names.length > 0 && names.every((name) => Object.hasOwn(auth, name))) ?? []
  const parts = chosen.flatMap((name) => {
    const [scheme, secret] = [schemes.get(name), auth[name]]
    return scheme === undefined || secret === undefined ? [] : [credentialOf(scheme, secret)]
  })
  return {
    headers: Object.assign({}, ...parts.map(({ headers }) => headers)) as Record<string, string>,
    query: parts.flatMap(({ query = [] }) => query),
    cookies: parts.flatMap(({ cookies = [] }) => cookies),
  }
}

function credentialOf(scheme: SecurityScheme, secret: SchemeSecret): Partial<Credentials> {
  const text = typeof secret === 'string' ? secret : `${secret.username}:${secret.password}`
  if (scheme.kind === 'bearer') return { headers: { authorization: `Bearer ${text}` } }
  if (scheme.kind === 'basic') return { headers: { authorization: `Basic ${Buffer.from(text).toString('base64')}` } }
  if (scheme.kind === 'other') return {}
  if (scheme.place === 'header') return { headers: { [scheme.name.toLowerCase()]: text } }
  return scheme.place === 'query' ? { query: [[scheme.name, text]] } : { cookies: [[scheme.name, text]] }
}
