import { JunctorError } from '@junctor/protocol'
import { type AuthorizationServer, dynamicClientRegistrationRequest } from 'oauth4webapi'
import * as z from 'zod'
import { type OAuthClient, secretMethodAmong } from './oauth-client.ts'
import type { OAuthHttp } from './oauth-http.ts'
import { guardToken } from './token-failure.ts'

/** The gateway's metadata as a client (RFC 7591, section 2). */
export interface ClientMetadata {
  readonly client_name: string
  readonly client_uri: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
  readonly application_type: 'web'
}

/** The metadata of a client that sends people to `redirectUri`. */
export function clientMetadata(publicUrl: string, redirectUri: string): ClientMetadata {
  return {
    client_name: `Junctor at ${new URL(publicUrl).host}`,
    client_uri: publicUrl,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
}

const registeredSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().min(1).optional(),
  token_endpoint_auth_method: z.string().optional(),
})

/**
 * Registers a client (RFC 7591), with a secret where the server takes no client without one. The server may decide otherwise,
 * and then says so (section 3.2.1). Rejects with a JunctorError.
 */
export function registerClient(
  server: AuthorizationServer,
  metadata: ClientMetadata,
  http: OAuthHttp,
): Promise<OAuthClient> {
  return guardToken(async () => {
    const { token_endpoint_auth_methods_supported: methods = ['none'] } = server
    const wanted = methods.includes('none') ? 'none' : (secretMethodAmong(methods) ?? 'none')
    const asked = { ...metadata, token_endpoint_auth_method: wanted }
    const answer = await dynamicClientRegistrationRequest(server, asked as never, http.options)
    // Not read by the library: many servers leave out members that RFC 7591 requires, but that are not needed here.
    const read = registeredSchema.safeParse(answer.ok ? await answer.json() : undefined)
    if (!read.success) {
      throw new JunctorError('BACKEND_REFUSED', `The authorization server registers no client: HTTP ${answer.status}`)
    }
    const { client_id: clientId, client_secret: secret, token_endpoint_auth_method: given } = read.data
    const isOpen = secret === undefined || (given === 'none' && methods.includes('none'))
    if (isOpen) return { clientId, proof: { kind: 'none' } }
    return { clientId, proof: { kind: 'secret', secret, method: secretMethodAmong([given ?? '']) } }
  })
}
