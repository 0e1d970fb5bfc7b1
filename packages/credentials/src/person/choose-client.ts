import type { Seal, Store } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import type { AuthorizationServer } from 'oauth4webapi'
import * as z from 'zod'
import type { OAuthClient } from '../oauth/oauth-client.ts'
import type { OAuthHttp } from '../oauth/oauth-http.ts'
import { type ClientMetadata, registerClient } from '../oauth/register-client.ts'
import { clientOfGrant, storedClient } from './grant.ts'
import { hashOf } from './person.ts'
import { openJson, sealJson } from './sealed-json.ts'

/** A registration in the store. */
export type ClientRecord = string

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

const storedSchema = z.object({ clientId: z.string(), secret: z.string().nullable() })

/**
 * The client at this server, in the order of MCP ("Client Registration Approaches"): that of the configuration, the
 * document about itself, a registration, which is kept for this issuer only.
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
  // A redirect URI that has changed needs another registration.
  const name = hashOf(JSON.stringify(['client', server.issuer, metadata.redirect_uris]))
  const known = readClient(seal, name, (await store.get(name))?.value)
  if (known !== undefined) return known
  const made = await registerClient(server, metadata, http)
  const written = await store.put(name, sealJson(seal, name, storedClient(made)), 0)
  // Another node was faster: all use the same one. A record that cannot be read is replaced.
  const other = written === 'conflict' ? readClient(seal, name, (await store.get(name))?.value) : undefined
  if (written === 'conflict' && other === undefined) await store.put(name, sealJson(seal, name, storedClient(made)))
  return other ?? made
}

function readClient(seal: Seal, name: string, sealed: string | undefined): OAuthClient | undefined {
  const read = storedSchema.safeParse(sealed === undefined ? undefined : openJson(seal, name, sealed))
  return read.success ? clientOfGrant(read.data, undefined) : undefined
}
