import { randomBytes } from 'node:crypto'
import type { Log, Seal, Store } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { GatewaySite, HttpPages } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import type { OAuthClient } from './oauth/oauth-client.ts'
import { createOAuthHttp } from './oauth/oauth-http.ts'
import { clientMetadata } from './oauth/register-client.ts'
import { answerConnection, connectionsPath } from './pages/answer-connection.ts'
import { createCookies } from './pages/cookies.ts'
import { ticketSchema } from './pages/ticket.ts'
import { createConsent, pendingSchema } from './person/consent.ts'
import { createGrants } from './person/grants.ts'
import type { Person } from './person/person.ts'
import { createPersonTokens, type PersonTokens } from './person/person-tokens.ts'
import { createSingleUse } from './person/single-use.ts'

export interface PersonCredentialsOptions {
  /** The name of the backend. */
  readonly backend: string
  readonly serverUrl: string
  /** A client that was registered by hand. Default: the gateway's document about itself, or a registration. */
  readonly client: OAuthClient | undefined
  /** The scopes to ask for, separated by spaces. Default: those that the server asks for. */
  readonly scope: string | undefined
  /** The authorization server. Default: the one that the server names. */
  readonly issuer: string | undefined
  readonly site: GatewaySite
  /** Records that expire so many milliseconds after their last write. */
  readonly store: <T extends JsonValue>(name: string, ttlMs: number) => Store<T>
  readonly seal: Seal
  readonly log: Log
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The access of people to one server, which each of them grants the gateway. */
export interface PersonCredentials {
  /** The pages where people grant and end the access. */
  readonly pages: HttpPages
  /**
   * Makes a link to the page where this person agrees. It can be used once, within ten minutes.
   *
   * @param label the name to show for the person
   * @param scope the scopes that the server has asked for besides
   */
  offer(person: Person, label: string, scope: string | undefined): Promise<string>
  /** Whether the person has agreed. */
  isConnected(person: Person): Promise<boolean>
  /** The tokens for one link of the person. */
  tokens(person: Person): PersonTokens
  close(): Promise<void>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long a link can be used, and how long a person may take at the authorization server, in milliseconds. */
export const stepMs: number = 10 * minuteMs

/** A grant that is not used for so long is forgotten, in milliseconds. */
const grantMs = 90 * dayMs

/**
 * Creates the credentials of people for a server (MCP authorization, the client's side).
 *
 * @throws JunctorError `CONFIG_INVALID` when the gateway has no public URL, which browsers need
 */
export function createPersonCredentials(options: PersonCredentialsOptions): PersonCredentials {
  const { backend, serverUrl, issuer, scope, site, store, seal, log, now } = options
  const { publicUrl } = site
  if (publicUrl === undefined) {
    throw new JunctorError('CONFIG_INVALID', 'auth.oauth needs publicUrl: people come back to it from the server')
  }
  const http = createOAuthHttp(issuer === undefined ? [serverUrl] : [serverUrl, issuer])
  const path = connectionsPath(backend)
  const isSecure = publicUrl.startsWith('https:')
  const redirectUri = `${publicUrl}${path}/callback`
  const documentUrl = `${publicUrl}${path}/client.json`
  const metadata = clientMetadata(publicUrl, redirectUri)
  const steps = store<string | null>('steps', stepMs)
  const consent = createConsent({
    serverUrl,
    issuer,
    scope,
    redirectUri,
    pending: createSingleUse('state', steps, seal, (data) => pendingSchema.safeParse(data).data),
    // Authorization servers read the document over https only.
    clients: {
      configured: options.client,
      documentUrl: isSecure ? documentUrl : undefined,
      metadata,
      store: store('clients', 365 * dayMs),
      seal,
      http,
    },
    http,
    now,
  })
  const grants = createGrants({ store: store('grants', grantMs), seal, refresh: (grant) => consent.refresh(grant), now })
  const tickets = createSingleUse('ticket', steps, seal, (data) => ticketSchema.safeParse(data).data)
  const parts = {
    backend,
    host: new URL(serverUrl).host,
    tickets,
    consent,
    grants,
    seal,
    cookies: createCookies(isSecure),
    document: { client_id: documentUrl, ...metadata },
    log,
    now,
  }
  return {
    pages: {
      paths: [path, `${path}/*`],
      handle: (request, response) => answerConnection(parts, request, response),
    },
    async offer(person, label, wanted) {
      const ticket = randomBytes(32).toString('base64url')
      await tickets.put(ticket, { person, label, scope: wanted ?? null })
      return `${publicUrl}${path}/${ticket}`
    },
    isConnected: async (person) => (await grants.read(person)) !== undefined,
    tokens: (person) => createPersonTokens(person, grants, now),
    close: () => http.close(),
  }
}
