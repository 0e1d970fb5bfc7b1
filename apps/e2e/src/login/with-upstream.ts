import type { JWK } from 'jose'
import { onTestFinished } from 'vitest'
import { type OpenIdProvider, type OpenIdProviderOptions, startOpenIdProvider } from '../../fixtures/openid-provider.ts'
import type { Cell } from '../cell.ts'
import { createLogRecorder, type LogRecord } from '../log-recorder.ts'
import { type Site, withLogin } from './with-login.ts'

/** A gateway at which people of two OpenID providers log in, `corp` and `partner`. */
export interface UpstreamSite extends Site {
  readonly corp: OpenIdProvider
  readonly partner: OpenIdProvider
  readonly records: readonly LogRecord[]
}

/** How its login server differs from the usual one. */
export interface UpstreamOptions {
  /** Options of the login server besides the providers. */
  readonly server?: object
  /** The options of `corp`. `undefined`: the usual ones. */
  readonly corp?: object
  /** Whether `partner` is there too. Default: it is not. */
  readonly hasPartner?: boolean
  readonly provider?: OpenIdProviderOptions
  readonly prefix?: string
  /** The public key by which the providers know the gateway. Default: by a secret. */
  readonly signer?: JWK
  /** The configuration besides the login server. */
  readonly config?: object
}

/** The secret that both providers know the gateway by. */
export const clientSecret = 'the secret of the gateway at its providers'

/** Runs a gateway whose people log in at OpenID providers. `optionsAt` are the options of its login server. */
export async function withUpstream(
  cell: Cell,
  options: UpstreamOptions,
  body: (site: UpstreamSite, optionsAt: (changed: UpstreamOptions) => object) => Promise<void>,
): Promise<void> {
  const [corp, partner] = await Promise.all([startOpenIdProvider(options.provider), startOpenIdProvider()])
  onTestFinished(async () => void (await Promise.all([corp.close(), partner.close()])))
  const { log, records } = createLogRecorder()
  const optionsAt = (changed: UpstreamOptions): object => ({
    ...changed.server,
    upstreams: {
      corp: {
        issuer: corp.url,
        clientId: 'gateway',
        ...(changed.signer === undefined && { clientSecret }),
        ...changed.corp,
      },
      ...(changed.hasPartner === true && {
        partner: { issuer: partner.url, clientId: 'gateway', clientSecret },
      }),
    },
  })
  const made = (url: string): object => {
    for (const [name, provider] of Object.entries({ corp, partner })) {
      provider.register({
        client_id: 'gateway',
        redirect_uris: [`${url}/oauth/callback/${name}`],
        backchannel_logout_uri: `${url}/oauth/backchannel-logout/${name}`,
        backchannel_logout_session_required: true,
        ...(options.signer === undefined
          ? { client_secret: clientSecret }
          : { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [options.signer] } }),
      })
    }
    return optionsAt(options)
  }
  await withLogin(cell, made, (site) => body({ ...site, corp, partner, records }, optionsAt), {
    log,
    ...(options.config !== undefined && { config: options.config }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
  })
}
