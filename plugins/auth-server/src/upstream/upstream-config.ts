import type { OAuthClientConfig } from '@junctor/credentials'
import * as z from 'zod'

/** An OpenID provider where people log in, and this server as its client, which an administrator has registered there. */
export interface UpstreamConfig extends OAuthClientConfig {
  /** Its issuer, exactly as its metadata and its ID tokens name it. */
  readonly issuer: string
  /** The scopes that this server asks for, besides `openid`. */
  readonly scopes: readonly string[]
  /** Claims of all people of the provider, for the `members` of tenants. They replace the provider's claims. */
  readonly claims: Readonly<Record<string, unknown>>
  /** The claims of a person that come from the provider. `email` counts only with `email_verified`. */
  readonly copyClaims: readonly string[]
  /** Who may log in. Undefined: everyone who can log in at the provider. */
  readonly members?: { readonly claim: string; readonly values: readonly string[] } | undefined
  /** The seconds after which a person must log in there again. Until then the gateway does not notice that the account has ended. */
  readonly loginAgain: number
}

/** Claims that describe a token and what it opens. No provider sets them. */
const ownClaims: ReadonlySet<string> = new Set([
  'act',
  'active',
  'aud',
  'azp',
  'client_id',
  'cnf',
  'exp',
  'iat',
  'iss',
  'jti',
  'may_act',
  'nbf',
  'scope',
  'scp',
  'sub',
])

const text = z.string().min(1)
const secret = text.meta({ writeOnly: true })

/** The names of providers. They are in redirect URIs and on the login page. */
const upstreamName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'a name of letters, digits and "-"')

const upstream = z
  .strictObject({
    issuer: text.max(512).regex(/^https?:\/\/[^\s|?#]+$/, 'the URL that its ID tokens have as `iss`'),
    clientId: text,
    clientSecret: secret.optional(),
    privateKey: secret.optional(),
    keyId: text.optional(),
    scopes: z.array(text.regex(/^\S+$/, 'a scope without blanks')).default(['email', 'profile']),
    claims: z.record(z.string(), z.unknown()).default({}),
    copyClaims: z
      .array(text.refine((name) => !ownClaims.has(name), `a claim of the person, none of ${[...ownClaims].join(', ')}`))
      .default(['email', 'name']),
    members: z.strictObject({ claim: text, values: z.array(text).min(1) }).optional(),
    loginAgain: z
      .int()
      .min(60)
      .max(90 * 24 * 60 * 60)
      .default(24 * 60 * 60),
  })
  .refine(
    ({ clientSecret, privateKey }) => (clientSecret === undefined) !== (privateKey === undefined),
    'either clientSecret or privateKey',
  )
  .refine(({ privateKey, keyId }) => privateKey !== undefined || keyId === undefined, 'keyId only with privateKey')

/** The schema of the providers, by names that the operator chooses. */
export const upstreams: z.ZodType<Readonly<Record<string, UpstreamConfig>>> = z
  .record(upstreamName, upstream)
  .refine((known) => {
    const issuers = Object.values(known).map(({ issuer }) => issuer)
    return new Set(issuers).size === issuers.length
  }, 'one upstream for each issuer')
