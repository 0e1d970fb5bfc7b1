import { hash, randomBytes } from 'node:crypto'
import { createSingleUse, type SingleUse, type SingleUseRecord } from '@junctor/credentials'
import type { PluginContext } from '@junctor/plugin-sdk'
import type { Store } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import { accountName, type Accounts } from './accounts.ts'
import { createOpenIdProvider, type OpenIdProvider } from './open-id-provider.ts'
import type { ProviderFailure } from './provider-failure.ts'
import type { UpstreamConfig } from './upstream-config.ts'

/** A login for which a browser was sent to a provider. */
const pendingSchema = z.object({
  upstream: z.string(),
  issuer: z.string(),
  /** The id of the login on this server. */
  interaction: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** How recent the login at the provider must be. */
  recent: z.object({ maxAge: z.number(), begun: z.number() }).optional(),
})

type Pending = z.infer<typeof pendingSchema>

/** The result of a login at a provider. */
type UpstreamEnd =
  /** `authTime`: when the person has logged in there, in epoch seconds. Undefined: the provider does not say. */
  | { readonly kind: 'account'; readonly account: string; readonly authTime: number | undefined }
  /** The state is not known, was used, is too old, or belongs to another login. */
  | { readonly kind: 'unknown' }
  /** The person or the provider has refused. */
  | { readonly kind: 'denied'; readonly upstream: string; readonly error: string | undefined }
  /** The person has logged in at the provider, and the configuration does not admit them. */
  | { readonly kind: 'not_a_member'; readonly upstream: string }
  | (ProviderFailure & { readonly upstream: string })

/** The result of a logout that a provider has reported. */
type LogoutEnd = { readonly kind: 'ended' } | { readonly kind: 'refused'; readonly problem: string }

/** The steps of logins at providers. Each step may go to any node. */
export interface UpstreamLogins {
  /** The names of the providers. */
  readonly names: readonly string[]
  /**
   * Returns the page of the provider to which a browser is sent. `undefined`: there is no such provider.
   *
   * @param interaction the id of the login on this server
   * @param maxAge the most seconds since the last login there. 0: the person must log in now. Undefined: any
   */
  begin(
    upstream: string,
    interaction: string,
    maxAge: number | undefined,
  ): Promise<{ readonly kind: 'page'; readonly url: string } | ProviderFailure | undefined>
  /** The id of the login that a state belongs to, if the state was made for this provider. The state can still be used. */
  interactionOf(upstream: string, state: string): Promise<string | undefined>
  /**
   * Ends the step with the parameters that the browser has brought back. A state can be used once.
   *
   * @param interaction the id of the login that this browser has begun
   */
  finish(interaction: string, parameters: URLSearchParams): Promise<UpstreamEnd>
  /**
   * Ends the access of the person whom a logout token of a provider names. A token can be used once. `undefined`: there is no
   * such provider.
   */
  logout(upstream: string, token: string): Promise<LogoutEnd | undefined>
  /** Closes the connections to providers. */
  close(): Promise<void>
}

/** The providers, and where the steps of a login are kept between two requests of the browser. */
export interface UpstreamLoginsOptions {
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>
  readonly accounts: Pick<Accounts, 'keep' | 'end'>
  /** Ends all grants of an account. */
  readonly endGrants: (account: string) => Promise<void>
  /** The used logout tokens. Its records live at least as long as a logout token is accepted. */
  readonly usedLogouts: Store<true>
  /** Its records live as long as a person may spend at a provider. */
  readonly store: Store<SingleUseRecord>
  readonly seal: PluginContext['seal']
  /** The URL to which a provider sends people back. */
  readonly redirectUri: (upstream: string) => string
}

/** @throws JunctorError `CONFIG_INVALID` when a private key cannot be read */
export function createUpstreamLogins(options: UpstreamLoginsOptions): UpstreamLogins {
  const { upstreams, accounts, store, seal, redirectUri } = options
  const providers = new Map<string, OpenIdProvider>(
    Object.entries(upstreams).map(([name, config]) => [name, createOpenIdProvider(config, redirectUri(name))]),
  )
  const pending: SingleUse<Pending> = createSingleUse(
    'state',
    store,
    seal,
    (data) => pendingSchema.safeParse(data).data,
  )

  /** Whether the name still means the provider to which the browser was sent. */
  const isCurrent = ({ upstream, issuer }: Pending): boolean => upstreams[upstream]?.issuer === issuer

  return {
    names: [...providers.keys()],
    async begin(upstream, interaction, maxAge) {
      const [provider, config] = [providers.get(upstream), upstreams[upstream]]
      if (provider === undefined || config === undefined) return undefined
      const [state, nonce, verifier] = [secret(), secret(), secret()]
      const page = await provider.page({ state, nonce, verifier }, maxAge)
      if (page.kind === 'failed') return page
      const recent = maxAge === undefined ? undefined : { maxAge, begun: Date.now() }
      await pending.put(state, { upstream, issuer: config.issuer, interaction, nonce, verifier, recent })
      return page
    },
    async interactionOf(upstream, state) {
      const known = await pending.look(state)
      return known?.upstream === upstream ? known.interaction : undefined
    },
    async finish(interaction, parameters) {
      const state = parameters.get('state') ?? ''
      // A state that belongs to the login of another browser is not taken, so that browser can still use it.
      if ((await pending.look(state))?.interaction !== interaction) return { kind: 'unknown' }
      const taken = await pending.take(state)
      if (taken === undefined || !isCurrent(taken)) return { kind: 'unknown' }
      const { upstream, nonce, verifier, recent } = taken
      const answer = await providers.get(upstream)?.finish(parameters, { state, nonce, verifier }, recent)
      if (answer === undefined) return { kind: 'unknown' }
      if (answer.kind !== 'person') return { ...answer, upstream }
      const account = await accounts.keep(upstream, answer.subject, answer.claims)
      if (account === undefined) return { kind: 'not_a_member', upstream }
      return { kind: 'account', account, authTime: answer.authTime }
    },
    async logout(upstream, token) {
      const [provider, config] = [providers.get(upstream), upstreams[upstream]]
      if (provider === undefined || config === undefined) return undefined
      const verdict = await provider.logout(token)
      if (verdict.kind !== 'logout') return { kind: 'refused', problem: verdict.problem }
      return endOnce(options, { upstream, issuer: config.issuer, ...verdict })
    },
    close: async () => void (await Promise.all([...providers.values()].map((provider) => provider.close()))),
  }
}

/** Ends the access of a person, if the logout token was not used before. */
async function endOnce(
  { accounts, endGrants, usedLogouts }: UpstreamLoginsOptions,
  { upstream, issuer, subject, jti }: Readonly<Record<'upstream' | 'issuer' | 'subject' | 'jti', string>>,
): Promise<LogoutEnd> {
  const id = hash('sha256', JSON.stringify([issuer, jti]), 'hex')
  if ((await usedLogouts.get(id)) !== undefined) return { kind: 'refused', problem: 'it was used before' }
  await accounts.end(upstream, subject)
  await endGrants(accountName(issuer, subject))
  // At the end, so that the provider can send the token again after a failure.
  await usedLogouts.put(id, true)
  return { kind: 'ended' }
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
