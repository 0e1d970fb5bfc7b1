import type { Seal, Store } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import type { AuthorizationServer } from 'oauth4webapi'
import { knowsClient } from '../oauth/knows-client.ts'
import type { OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { type ClientMetadata, registerClient } from '../oauth/register-client.ts'
import { clientOfGrant, storedClient, storedClientSchema } from './grant.ts'
import { hashOf } from './person.ts'
import { openJson, sealJson } from './sealed-json.ts'

/** A registration in the store. */
export type ClientRecord = string

/** The clients that the gateway can be at a server. */
export interface ClientChoice {
  /** The client of the configuration. */
  readonly configured: OAuthClient | undefined
  /** The URL of this gateway's document about itself. Undefined: others cannot read it. */
  readonly documentUrl: string | undefined
  readonly metadata: ClientMetadata
  readonly store: Store<ClientRecord>
  readonly seal: Seal
  readonly http: OAuthHttp
}

/**
 * The client at this server, in the order of MCP ("Client Registration Approaches"): that of the configuration, the
 * document about itself, a registration, which is kept for this issuer only, as long as the issuer knows it.
 *
 * @throws JunctorError `BACKEND_REFUSED` when none of them is possible
 */
export async function chooseClient(choice: ClientChoice, server: AuthorizationServer): Promise<OAuthClient> {
  const { configured, documentUrl, metadata, store, seal, http } = choice
  if (configured !== undefined) return configured
  if (server['client_id_metadata_document_supported'] === true && documentUrl !== undefined) {
    return { clientId: documentUrl, proof: { kind: 'none' } }
  }
  if (server.registration_endpoint === undefined) {
    const text = `The authorization server ${server.issuer} registers no clients: register one there, and set clientId`
    throw new JunctorError('BACKEND_REFUSED', text)
  }
  const name = nameOf(choice, server)
  const stored = await store.get(name)
  const known = readClient(seal, name, stored?.value)
  // The page of a server that does not know the client would lead nobody back.
  if (known !== undefined && (await knowsClient(server, known, http))) return known
  const made = await registerClient(server, metadata, http)
  const written = await store.put(name, sealJson(seal, name, storedClient(made)), stored?.revision ?? 0)
  // Another node was faster: all use the same one.
  const other = written === 'conflict' ? readClient(seal, name, (await store.get(name))?.value) : undefined
  return other ?? made
}

/**
 * Forgets the registration of a client that the server does not know any more. Returns whether it was one: the operator alone
 * can do something about a client of the configuration, and a server may know a document about the gateway again.
 */
export async function forgetClient(
  choice: ClientChoice,
  server: AuthorizationServer,
  client: OAuthClient,
): Promise<boolean> {
  const { configured, documentUrl, store, seal } = choice
  const { clientId } = client
  if (client === configured || clientId === documentUrl) return false
  const name = nameOf(choice, server)
  const stored = await store.get(name)
  // It may have been replaced meanwhile. Records are not deleted, because storage may return with an older state.
  if (readClient(seal, name, stored?.value)?.clientId === clientId) await store.put(name, forgotten, stored?.revision)
  return true
}

const forgotten: ClientRecord = ''

/** The name of a registration. A redirect URI that has changed needs another one. */
function nameOf({ metadata }: ClientChoice, { issuer }: AuthorizationServer): string {
  return hashOf(JSON.stringify(['client', issuer, metadata.redirect_uris]))
}

function readClient(seal: Seal, name: string, sealed: string | undefined): OAuthClient | undefined {
  const read = storedClientSchema.safeParse(sealed === undefined ? undefined : openJson(seal, name, sealed))
  return read.success ? clientOfGrant(read.data, undefined) : undefined
}
