import type { Log, Seal, Store } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import type { AccountSource, GatewaySite, HttpPages, OfferAccounts, Person, PluginContext } from '@junctor/plugin-sdk'
import { JunctorError } from '@junctor/protocol'
import type { OAuthClient } from './oauth/oauth-client.ts'
import { createOAuthHttp, type OAuthHttp } from './oauth/oauth-http.ts'
import { type ClientMetadata, clientMetadata } from './oauth/register-client.ts'
import { answerConnection, connectionsPath } from './pages/answer-connection.ts'
import { createCookies } from './pages/cookies.ts'
import { ticketSchema } from './pages/ticket.ts'
import type { ClientRecord } from './person/choose-client.ts'
import { type Consent, createConsent, pendingSchema } from './person/consent.ts'
import { createGrantChanges } from './person/grant-changes.ts'
import { createGrants } from './person/grants.ts'
import { createOfferedLinks, offeredAgainMs } from './person/offered-links.ts'
import { createPersonTokens, type PersonTokens } from './person/person-tokens.ts'
import { createSingleUse, type SingleUseRecord } from './person/single-use.ts'

/** How people let the gateway act at one server. */
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
  /** Shows the accounts on the page of all accounts. */
  readonly showAccounts: PluginContext['showAccounts']
  /** Records that expire this many milliseconds after their last write. */
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
   * Returns a link to the page where this person agrees. It can be used once, within ten minutes.
   *
   * @param label the name to show for the person
   * @param scope the scopes that the server has asked for besides
   */
  offer(person: Person, label: string, scope: string | undefined): Promise<string>
  /** Makes a link to the page where the person sees and ends all their accounts, at other servers too. */
  readonly offerAll: OfferAccounts
  /** When the person agreed last, in epoch milliseconds. Undefined: there is no grant. */
  connectedSince(person: Person): Promise<number | undefined>
  /** Registers a listener for changes of any grant at any node, called within two seconds. Returns its end. */
  watch(listener: () => void): () => void
  /** The tokens for one link of the person. */
  tokens(person: Person): PersonTokens
  /** Closes the connections to authorization servers. */
  close(): Promise<void>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** How long a link can be used, and how long a person may take at the authorization server, in milliseconds. */
const stepMs = 10 * minuteMs + offeredAgainMs

/** A grant that is not used for so long is forgotten, in milliseconds. */
const grantMs = 90 * dayMs

/**
 * Creates the credentials of people for a server (MCP authorization, the client's side).
 *
 * @throws JunctorError `CONFIG_INVALID` when the gateway has no public URL, which browsers need
 */
export function createPersonCredentials(options: PersonCredentialsOptions): PersonCredentials {
  const { backend, serverUrl, issuer, site, store, seal, log, now } = options
  const { publicUrl } = site
  if (publicUrl === undefined) {
    throw new JunctorError('CONFIG_INVALID', 'auth.oauth needs publicUrl: people come back to it from the server')
  }
  const http = createOAuthHttp(issuer === undefined ? [serverUrl] : [serverUrl, issuer])
  const own = ownUrls(publicUrl, backend)
  const steps = store<SingleUseRecord>('steps', stepMs)
  const consent = consentOf(options, { http, own, steps })
  const changes = createGrantChanges(store<string>('changes', dayMs), log)
  const changed = (): Promise<void> => changes.announce()
  const grants = createGrants({ serverUrl, store: store('grants', grantMs), seal, changed, consent, now })
  const tickets = createSingleUse('ticket', steps, seal, (data) => ticketSchema.safeParse(data).data)
  const links = createOfferedLinks(tickets, now)
  const cookies = createCookies(own.isSecure)
  const document = { client_id: own.documentUrl, ...own.metadata }
  const { host } = new URL(serverUrl)
  const parts = { backend, host, tickets, consent, grants, seal, cookies, document, log, now }
  const path = connectionsPath(backend)
  const accounts: AccountSource = {
    async read(person) {
      const grant = await grants.read(person)
      if (grant === undefined) return undefined
      const { tokens, since, renewed } = grant
      return { server: host, scope: tokens.scope ?? grant.scope ?? undefined, since, renewed }
    },
    end: (person) => grants.end(person),
  }
  return {
    pages: {
      paths: [path, `${path}/*`],
      handle: (request, response) => answerConnection(parts, request, response),
    },
    async offer(person, label, wanted) {
      return `${publicUrl}${path}/${await links.secretFor({ person, label, scope: wanted ?? null })}`
    },
    offerAll: options.showAccounts(accounts),
    connectedSince: async (person) => (await grants.read(person))?.since,
    tokens: (person) => createPersonTokens(person, grants, now),
    watch: (listener) => changes.watch(listener),
    close() {
      changes.close()
      return http.close()
    },
  }
}

/** What authorization servers know of the gateway. */
interface OwnUrls {
  readonly redirectUri: string
  readonly documentUrl: string
  readonly metadata: ClientMetadata
  readonly isSecure: boolean
}

function ownUrls(publicUrl: string, backend: string): OwnUrls {
  const base = `${publicUrl}${connectionsPath(backend)}`
  const redirectUri = `${base}/callback`
  return {
    redirectUri,
    documentUrl: `${base}/client.json`,
    metadata: clientMetadata(publicUrl, redirectUri),
    isSecure: publicUrl.startsWith('https:'),
  }
}

function consentOf(
  { serverUrl, issuer, scope, client, store, seal, now }: PersonCredentialsOptions,
  { http, own, steps }: { http: OAuthHttp; own: OwnUrls; steps: Store<SingleUseRecord> },
): Consent {
  const { redirectUri, documentUrl, metadata, isSecure } = own
  const clients = {
    configured: client,
    // Authorization servers read the document over https only.
    documentUrl: isSecure ? documentUrl : undefined,
    metadata,
    store: store<ClientRecord>('clients', 365 * dayMs),
    seal,
    http,
  }
  const pending = createSingleUse('state', steps, seal, (data) => pendingSchema.safeParse(data).data)
  return createConsent({ serverUrl, issuer, scope, redirectUri, pending, clients, http, now })
}
