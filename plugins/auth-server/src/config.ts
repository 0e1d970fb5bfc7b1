import * as z from 'zod'
import { type UpstreamConfig, upstreams } from './upstream/upstream-config.ts'
import { password } from './users/password-schema.ts'

/** Someone who may log in. */
interface UserConfig {
  /** A hash in the PHC string format, as `junctor hash-password` prints it. */
  readonly password: string
  /** Claims of their tokens, for the `members` of tenants. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** A program that gets tokens for itself. */
interface ClientConfig {
  readonly secret: string
  readonly scopes: readonly string[]
  /** Claims of its tokens, for the `members` of tenants. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** An identity provider whose assertions replace a login. */
interface IssuerConfig {
  readonly issuer: string
  readonly jwksUri: string
  /** The claims of all people of this provider, for the `members` of tenants. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** The options of the authorization server. */
export interface AuthServerConfig {
  readonly users: Readonly<Record<string, UserConfig>>
  /** Programs that get tokens for themselves (client credentials), by their client id. */
  readonly clients: Readonly<Record<string, ClientConfig>>
  /** Identity providers of enterprises (ID-JAG), by names that the operator chooses. */
  readonly issuers: Readonly<Record<string, IssuerConfig>>
  /** OpenID providers where people log in, by names that the operator chooses. */
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>
  /** The scopes that clients may ask for. */
  readonly scopes: readonly string[]
  readonly registration: {
    /** Whether any client may register itself (RFC 7591). */
    readonly open: boolean
    /** The hosts to which registered clients may send people back, besides this machine. */
    readonly hosts: readonly string[] | undefined
  }
  /** Hosts with private addresses whose client metadata documents may be read. */
  readonly documentHosts: readonly string[]
  /** Seconds. */
  readonly accessToken: number
  /** Seconds. */
  readonly refreshToken: number
}

const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'a scope without blanks, such as "mcp"')

const seconds = (most: number): z.ZodType<number> => z.int().min(10).max(most)

const options = z.strictObject({
  users: z
    .record(
      z
        .string()
        .min(1)
        .max(128)
        .regex(/^(?!https?:)/i, 'a name that is no URL: people of upstreams have such names'),
      z.strictObject({
        password,
        claims: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default({}),
  clients: z
    .record(
      z.string().regex(/^[\w.~-]{1,128}$/, 'a client id of letters, digits and . _ ~ -'),
      z.strictObject({
        secret: z.string().min(16).meta({ writeOnly: true }),
        scopes: z.array(scope).default([]),
        claims: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default({}),
  issuers: z
    .record(
      z.string().regex(/^(?!https?$)[a-z0-9-]{1,64}$/, 'a name of a to z, 0 to 9 and "-", not "https"'),
      z.strictObject({
        issuer: z.url({ protocol: /^https?$/, error: 'the URL that its assertions name as `iss`' }),
        jwksUri: z.url({ protocol: /^https?$/, error: 'the URL of its keys' }),
        claims: z.record(z.string(), z.unknown()).default({}),
      }),
    )
    .default({}),
  upstreams: upstreams.default({}),
  scopes: z.array(scope).default(['mcp']),
  registration: z
    .strictObject({ open: z.boolean().default(true), hosts: z.array(z.string().min(1)).optional() })
    .prefault({})
    .transform(({ open, hosts }) => ({ open, hosts })),
  documentHosts: z.array(z.string().min(1)).default([]),
  accessToken: seconds(24 * 60 * 60).default(600),
  refreshToken: seconds(365 * 24 * 60 * 60).default(30 * 24 * 60 * 60),
})

/** The options of a backend with the word `authServer`. */
export const config: z.ZodType<{ readonly authServer: AuthServerConfig }> = z.strictObject({
  authServer: options.refine(
    ({ users, issuers }) => !Object.keys(users).some((name) => Object.hasOwn(issuers, name.split(':', 1)[0] ?? '')),
    'users whose names do not begin with the name of an issuer and a colon: those are the names of its people',
  ),
})
