import type { OAuthClientConfig } from '@junctor/credentials'
import { bearerToken, sentHeaders } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import type { EraChoice } from './link/era-memory.ts'

/** A program that speaks MCP on its standard input and output. */
export interface CommandConfig {
  /** Found on PATH unless it is a path; a relative path starts at the configuration file. */
  readonly command: string
  readonly args: readonly string[]
  /** Its whole environment, beside PATH, HOME, language and temporary folder. */
  readonly env: Readonly<Record<string, string>>
  /** Where it runs; a relative path starts at the configuration file. Default: the folder of that file. */
  readonly cwd?: string | undefined
  /** Whether it speaks 2026-07-28 (`stateless`) or opens with a handshake. Default: it is asked. */
  readonly era?: EraChoice | undefined
}

/** The tokens that a server receives: one of these. */
interface AuthConfig {
  /** A fixed token. */
  readonly bearer?: string | undefined
  /** Tokens of the gateway itself, for all callers. */
  readonly clientCredentials?: ClientCredentialsConfig | undefined
  /** Tokens of each caller, who has agreed in a browser. */
  readonly oauth?: OAuthConfig | undefined
  /** Tokens for which the token of each caller is exchanged (RFC 8693). */
  readonly tokenExchange?: TokenExchangeConfig | undefined
  /** Tokens for which the token of each caller is exchanged in two steps, by an identity assertion (ID-JAG). */
  readonly identityAssertion?: IdentityAssertionConfig | undefined
}

/** Tokens of the gateway itself. */
export interface ClientCredentialsConfig extends OAuthClientConfig {
  /** Separated by spaces. Default: what the server asks for. */
  readonly scope?: string | undefined
  /** The authorization server, which a secret needs. Default: the one that the server names. */
  readonly issuer?: string | undefined
}

/** Tokens for which those of callers are exchanged (RFC 8693). */
export interface TokenExchangeConfig extends OAuthClientConfig {
  /** The authorization server. It gets the tokens of callers, so that the server cannot name it. */
  readonly issuer: string
  /** The name of the server at the authorization server. Default: its URL, as `resource`. */
  readonly audience?: string | undefined
  /** Separated by spaces. Default: what the authorization server gives. */
  readonly scope?: string | undefined
}

/** A server that issues tokens, and the gateway as its client. */
export interface IssuerConfig extends OAuthClientConfig {
  readonly issuer: string
}

/** Tokens for identity assertions of the callers' identity provider (ID-JAG). */
export interface IdentityAssertionConfig {
  /** Issues assertions for the tokens of callers. It gets these tokens, so that the server cannot name it. */
  readonly identityProvider: IssuerConfig
  /** Issues tokens of the server for assertions. The server cannot name it either. */
  readonly authorizationServer: IssuerConfig
  /** Separated by spaces. Default: what the two issue. */
  readonly scope?: string | undefined
}

/** Tokens of people who have agreed in a browser. */
export interface OAuthConfig {
  /** A client that was registered by hand. Default: the gateway's document about itself, or a registration. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Separated by spaces. Default: what the server asks for. */
  readonly scope?: string | undefined
  /** The authorization server, which a secret needs. Default: the one that the server names. */
  readonly issuer?: string | undefined
}

/** A server that speaks MCP over HTTP or WebSockets. */
export interface UrlConfig {
  /** `http:` and `https:` are Streamable HTTP or HTTP+SSE, `ws:` and `wss:` WebSockets. */
  readonly url: string
  /** Sent with every request, or when a WebSocket is opened. */
  readonly headers: Readonly<Record<string, string>>
  /** Whose tokens the server receives. Default: none. */
  readonly auth?: AuthConfig | undefined
  /** Whether it speaks 2026-07-28 (`stateless`) or opens with a handshake. Default: it is asked. */
  readonly era?: EraChoice | undefined
}

/**
 * Environment variables in the form that other programs accept in such a file: numbers and booleans become text, and a
 * variable with the value null is not set.
 */
const variables = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()], 'text, a number, true, false or null'))
  .transform((env) =>
    Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))),
  )

const era = z.enum(['auto', 'stateless', 'handshake']).optional()

const command = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: variables.prefault({}),
  cwd: z.string().min(1).optional(),
  era,
})

const text = z.string().min(1)
const secret = text.meta({ writeOnly: true })
const issuerUrl = z.url({ protocol: /^https?$/ })
const issuer = issuerUrl.optional()

const clientOptions = {
  clientId: text,
  clientSecret: secret.optional(),
  privateKey: secret.optional(),
  keyId: text.optional(),
}

/** A client authenticates with a secret or with a key. */
function withOneProof<Config extends OAuthClientConfig>(schema: z.ZodType<Config>): z.ZodType<Config> {
  return schema
    .refine(
      ({ clientSecret, privateKey }) => (clientSecret === undefined) !== (privateKey === undefined),
      'either clientSecret or privateKey',
    )
    .refine(({ privateKey, keyId }) => privateKey !== undefined || keyId === undefined, 'keyId only with privateKey')
}

/** With a secret, the issuer must be configured: otherwise the MCP server would name the receiver of the secret. */
function boundToIssuer<Config extends Pick<OAuthConfig, 'clientSecret' | 'issuer'>>(
  schema: z.ZodType<Config>,
): z.ZodType<Config> {
  return schema.refine(
    (own) => own.clientSecret === undefined || own.issuer !== undefined,
    'the issuer too: the URL of the authorization server that knows the clientSecret',
  )
}

const clientCredentials = boundToIssuer(
  withOneProof(z.strictObject({ ...clientOptions, scope: text.optional(), issuer })),
)

const tokenExchange = withOneProof(
  z.strictObject({ ...clientOptions, issuer: issuerUrl, audience: text.optional(), scope: text.optional() }),
)

const issuerWithClient = withOneProof(z.strictObject({ ...clientOptions, issuer: issuerUrl }))

const identityAssertion = z.strictObject({
  identityProvider: issuerWithClient,
  authorizationServer: issuerWithClient,
  scope: text.optional(),
})

const oauth = boundToIssuer(
  z
    .strictObject({ clientId: text.optional(), clientSecret: secret.optional(), scope: text.optional(), issuer })
    .refine(({ clientId, clientSecret }) => clientId !== undefined || clientSecret === undefined, 'a clientId too'),
)

const auth = z
  .strictObject({
    bearer: bearerToken.optional(),
    clientCredentials: clientCredentials.optional(),
    oauth: oauth.optional(),
    tokenExchange: tokenExchange.optional(),
    identityAssertion: identityAssertion.optional(),
  })
  .refine(
    (words) => Object.values(words).filter((word) => word !== undefined).length === 1,
    'one of "bearer", "clientCredentials", "oauth", "tokenExchange" and "identityAssertion"',
  )

const url = z
  .strictObject({
    url: z.url({ protocol: /^(?:https?|wss?)$/ }),
    headers: sentHeaders.default({}),
    auth: auth.optional(),
    era,
  })
  .refine(
    ({ url: target, auth: own }) => own === undefined || own.bearer !== undefined || /^https?:/i.test(target),
    'a URL with http or https, because WebSockets take only a bearer token',
  )

/** One or the other: `command` starts a program, `url` calls a server. */
export const config: z.ZodType<CommandConfig | UrlConfig> = z.union([command, url])
