import { clientAuthFor, type OAuthClient, type OAuthHttp, readPrivateKey } from '@junctor/credentials'
import {
  allowInsecureRequests,
  type ClientAuth,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client'
import { misconfigured } from './provider-failure.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** Metadata and keys are read again after so long, in milliseconds. */
const metadataMs = 60 * 60 * 1000

/**
 * Makes the function that reads what a provider publishes about itself, once an hour. After a failure it is read again by
 * the next request. ID tokens must be signed with one of the published keys: the library leaves that to TLS otherwise.
 *
 * @throws JunctorError `CONFIG_INVALID` when the private key cannot be read
 */
export function providerConfiguration(upstream: UpstreamConfig, http: OAuthHttp): () => Promise<Configuration> {
  const { issuer, clientId } = upstream
  const client = clientOf(upstream)
  // The library waits for its end.
  const auth = ((server, ...rest) => clientAuthFor(client, server)(server, ...rest)) as ClientAuth
  let known: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  const read = async (): Promise<Configuration> => {
    const configuration = await discovery(new URL(issuer), clientId, {}, auth, {
      [customFetch]: http.options[customFetch],
      // Each URL is judged by the fetch itself.
      execute: [allowInsecureRequests, enableNonRepudiationChecks],
    })
    // The library compares URLs, and takes any directory of Entra for its common one.
    if (configuration.serverMetadata().issuer !== issuer) throw misconfigured('its metadata name another issuer')
    return configuration
  }

  return () => {
    if (known !== undefined && known.until > Date.now()) return known.configuration
    const reading = { configuration: read(), until: Date.now() + metadataMs }
    known = reading
    reading.configuration.catch(() => {
      if (known === reading) known = undefined
    })
    return reading.configuration
  }
}

function clientOf({ clientId, clientSecret, privateKey, keyId }: UpstreamConfig): OAuthClient {
  if (privateKey === undefined) return { clientId, proof: { kind: 'secret', secret: clientSecret ?? '' } }
  return { clientId, proof: { kind: 'key', key: readPrivateKey(privateKey), keyId } }
}
