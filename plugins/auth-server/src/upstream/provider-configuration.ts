import { clientAuthFor, configuredClient, type OAuthHttp } from '@junctor/credentials'
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

/** How long metadata and keys are used before they are read again, in milliseconds. */
const metadataMs = 60 * 60 * 1000

/**
 * Creates the function that returns the metadata and keys of a provider. It reads them once an hour, and after a failure
 * with the next request. ID tokens must be signed with a published key; by default the library would rely on TLS.
 *
 * @throws JunctorError `CONFIG_INVALID` when the private key cannot be read
 */
export function providerConfiguration(upstream: UpstreamConfig, http: OAuthHttp): () => Promise<Configuration> {
  const { issuer, clientId } = upstream
  const client = configuredClient(upstream)
  // The type has no promise, but the library waits for one.
  const auth = ((server, ...rest) => clientAuthFor(client, server)(server, ...rest)) as ClientAuth
  let known: { readonly configuration: Promise<Configuration>; readonly until: number } | undefined

  const read = async (): Promise<Configuration> => {
    const configuration = await discovery(new URL(issuer), clientId, {}, auth, {
      [customFetch]: http.options[customFetch],
      // The library must not judge URLs: the fetch judges each of them.
      execute: [allowInsecureRequests, enableNonRepudiationChecks],
    })
    // The library compares issuers as URLs, and accepts any directory of Entra for the common one.
    if (configuration.serverMetadata().issuer !== issuer) throw misconfigured('its metadata name another issuer')
    return configuration
  }

  return () => {
    if (known !== undefined && known.until > performance.now()) return known.configuration
    const reading = { configuration: read(), until: performance.now() + metadataMs }
    known = reading
    reading.configuration.catch(() => {
      if (known === reading) known = undefined
    })
    return reading.configuration
  }
}
