import * as z from 'zod'
import type { OAuthClient, SecretMethod } from '../oauth/oauth-client.ts'
import type { Tokens } from '../oauth/tokens.ts'

/** What a person has allowed the gateway to do at one server. */
export type Grant = {
  readonly tokens: Tokens
  /** Who issued the tokens. They are never sent to another issuer. */
  readonly issuer: string
  readonly resource: string
  /** Who the person is at the issuer: the subject of an ID token. Absent: the issuer has not said it. */
  readonly account?: string | undefined
  /** The scopes that were asked for. */
  readonly scope: string | null
  readonly client: StoredClient
  /** When the person agreed, in epoch milliseconds. */
  readonly since: number
  /** When the tokens were last renewed, in epoch milliseconds. Absent: never. */
  readonly renewed?: number | undefined
  /** When it was last written again because it is used, in epoch milliseconds. Absent: never. */
  readonly kept?: number | undefined
}

/** A client in the form of the store. */
export type StoredClient = {
  readonly clientId: string
  readonly secret: string | null
  /** How it presents the secret. Absent: as the server takes it. */
  readonly method?: SecretMethod | undefined
}

/** Reads a client from the store. */
export const storedClientSchema: z.ZodType<StoredClient> = z.object({
  clientId: z.string(),
  secret: z.string().nullable(),
  method: z.enum(['client_secret_basic', 'client_secret_post']).optional(),
})

/** Reads a grant from the store. */
export const grantSchema: z.ZodType<Grant> = z.object({
  tokens: z.object({
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    expires: z.number().nullable(),
    scope: z.string().nullable(),
  }),
  issuer: z.string(),
  resource: z.string(),
  account: z.string().optional(),
  scope: z.string().nullable(),
  client: storedClientSchema,
  since: z.number(),
  renewed: z.number().optional(),
  kept: z.number().optional(),
})

/** Whether two grants of a person are known to be for the same account. */
export function isSameAccount(first: Grant, second: Grant): boolean {
  if (first.since === second.since) return true
  return first.account !== undefined && first.account === second.account && first.issuer === second.issuer
}

/** The client for requests of a grant. The secret of the configuration goes before that of the store. */
export function clientOfGrant(stored: StoredClient, configured: OAuthClient | undefined): OAuthClient {
  if (configured !== undefined && configured.clientId === stored.clientId) return configured
  const { clientId, secret, method } = stored
  return { clientId, proof: secret === null ? { kind: 'none' } : { kind: 'secret', secret, method } }
}

/** What the store keeps of a client. */
export function storedClient({ clientId, proof }: OAuthClient): StoredClient {
  return proof.kind === 'secret' ? { clientId, secret: proof.secret, method: proof.method } : { clientId, secret: null }
}
