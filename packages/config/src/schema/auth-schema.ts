import { defaultTenant } from '@junctor/protocol'
import { secureUrl } from '@junctor/connection'
import * as z from 'zod'
import type { AuthConfig, IntrospectionConfig, IssuerConfig, SecretsConfig, TokenServerConfig } from '../config.ts'
import { patternRecord } from './tool-pattern.ts'
import { name, positiveDuration, text } from './values.ts'

const aHash = '"sha256:" and 64 hexadecimal digits, as `junctor hash-key` prints them'

const apiKey = z.strictObject({
  hash: z.string(aHash).regex(/^sha256:[0-9a-f]{64}$/, aHash),
  tenants: z
    .array(name)
    .min(1)
    .default([defaultTenant])
    .meta({ example: [defaultTenant] }),
})

/**
 * The accepted algorithms: only the issuer can sign with them. With HS256 and similar ones, everyone who can verify a
 * token can create one.
 */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

/**
 * A URL of the issuer. On an unencrypted connection, an attacker between the gateway and the issuer could replace its
 * keys.
 */
const secure = z
  .string()
  .refine((url) => secureUrl(url) !== undefined, 'an https:// URL without credentials (http:// only on this machine)')

/** RFC 8414, section 2. */
const issuerUrl = secure.refine((url) => !/[?#]/.test(url), 'a URL without query and fragment')

/** RFC 6749, section 3.3. */
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'a scope without blanks, such as "mcp"')

/** The members for the check of tokens, at the same level as the API keys. */
const issuerMembers = {
  server: name.optional().meta({ example: 'login' }),
  issuer: issuerUrl.optional().meta({ example: 'https://id.example.com' }),
  audience: z
    .union([text.transform((one) => [one]), z.array(text).min(1)])
    .optional()
    .meta({ example: 'https://gw.example.com/mcp' }),
  algorithms: z
    .array(z.enum(algorithms))
    .min(1)
    .optional()
    .meta({ example: ['RS256'] }),
  jwksUri: secure.optional().meta({ example: 'https://id.example.com/jwks.json' }),
  type: text.optional().meta({ example: 'at+jwt' }),
  introspection: z
    .strictObject({
      url: secure.meta({ example: 'https://id.example.com/introspect' }),
      clientId: text.meta({ example: 'junctor' }),
      clientSecret: text.meta({ example: '${env:JUNCTOR_CLIENT_SECRET}' }),
      reuse: positiveDuration.default(500).meta({ example: '500ms' }),
      signed: z.boolean().default(false).meta({ example: true }),
    })
    .transform(({ reuse, ...rest }): IntrospectionConfig => ({ ...rest, reuseMs: reuse }))
    .optional(),
  scopes: z
    .array(scope)
    .optional()
    .meta({ example: ['mcp'] }),
  toolScopes: patternRecord(z.union([scope.transform((one) => [one]), z.array(scope).min(1)]))
    .optional()
    .meta({ example: { 'files:delete_*': ['files:delete'] } }),
}

interface IssuerMembers {
  readonly server?: string | undefined
  readonly issuer?: string | undefined
  readonly audience?: readonly string[] | undefined
  readonly algorithms?: readonly string[] | undefined
  readonly jwksUri?: string | undefined
  readonly type?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly toolScopes?: Readonly<Record<string, readonly string[]>> | undefined
  readonly introspection?: IntrospectionConfig | undefined
}

/** The schema of the section `auth`. */
export const authSchema: z.ZodType<AuthConfig> = z
  .strictObject({
    apiKeys: z.record(name, apiKey).default({}),
    anonymous: z.boolean().default(false).meta({ example: true }),
    ...issuerMembers,
  })
  .superRefine((members, context) => {
    const { issuer, audience, server } = members
    if (server !== undefined) return mixed(members, context)
    if (issuer !== undefined && audience === undefined) {
      const why = 'without it, a token that the issuer made for any other service would open this gateway'
      context.addIssue({
        code: 'custom',
        path: ['audience'],
        params: { kind: 'audience_missing' },
        message: `the audience of tokens for this gateway: ${why}`,
      })
    }
    if (issuer !== undefined) return
    const orphan = (
      ['audience', 'algorithms', 'jwksUri', 'type', 'scopes', 'toolScopes', 'introspection'] as const
    ).find((word) => members[word] !== undefined)
    if (orphan === undefined) return
    context.addIssue({
      code: 'custom',
      path: ['issuer'],
      params: { kind: 'issuer_missing' },
      message: `the issuer whose tokens "${orphan}" is about`,
    })
  })
  .transform(({ apiKeys, anonymous, ...members }) => ({
    apiKeys: Object.entries(apiKeys).map(([key, value]) => ({ name: key, ...value })),
    anonymous,
    issuer: issuerOf(members),
    server: serverOf(members),
  }))

/** With a server of its own, the gateway knows all else of the issuer. */
function mixed(members: IssuerMembers, context: z.RefinementCtx): void {
  const foreign = (['issuer', 'audience', 'algorithms', 'jwksUri', 'type', 'introspection'] as const).filter(
    (word) => members[word] !== undefined,
  )
  for (const word of foreign) {
    const message = 'no word about another issuer beside "server"'
    context.addIssue({ code: 'custom', path: [word], message })
  }
}

function serverOf({ server, scopes = [], toolScopes = {} }: IssuerMembers): TokenServerConfig | undefined {
  return server === undefined ? undefined : { backend: server, scopes, toolScopes }
}

function issuerOf({
  issuer,
  audience,
  algorithms: accepted,
  jwksUri,
  type,
  scopes = [],
  toolScopes = {},
  introspection,
}: IssuerMembers): IssuerConfig | undefined {
  if (issuer === undefined || audience === undefined) return undefined
  return {
    issuer,
    audience,
    algorithms: accepted ?? ['RS256', 'PS256', 'ES256', 'EdDSA'],
    jwksUri,
    type,
    scopes,
    toolScopes,
    introspection,
  }
}

/** The schema of this gateway's own keys. */
export const secretsSchema: z.ZodType<SecretsConfig> = z.strictObject({
  seal: z
    .array(z.string().min(32, 'at least 32 characters, as `openssl rand -base64 32` prints them'))
    .default([])
    .meta({ example: ['${env:JUNCTOR_SEAL}'] }),
})
