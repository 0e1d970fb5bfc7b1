import { createHash } from 'node:crypto'
import { openJson, sealJson } from '@junctor/credentials'
import type { PluginContext } from '@junctor/plugin-sdk'
import type { Store } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import { judgePerson, neededClaims } from './person-claims.ts'
import type { UpstreamConfig } from './upstream-config.ts'

type Claims = Readonly<Record<string, unknown>>

/** What is kept of someone who has logged in at a provider. The tokens of the provider are not. */
const accountSchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds of the last login. */
  since: z.number(),
})

/** Someone who may log in, or has. */
export interface Person {
  readonly claims: Claims
  /** What pages call the person. */
  readonly label: string
}

/** The people who have logged in at providers, for all nodes. */
export interface Accounts {
  /** Keeps what a provider says of a person. Returns the name of the account; `undefined`: the person may not log in. */
  keep(upstream: string, subject: string, said: Claims): Promise<string | undefined>
  /**
   * The person of an account. `undefined`: nobody by this name has logged in, or the login was too long ago, or what the
   * configuration says now does not let the person in.
   */
  find(account: string): Promise<Person | undefined>
}

export interface AccountsOptions {
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>
  /** Its records live for as long as anything that a login opens. */
  readonly store: Store<string>
  readonly seal: PluginContext['seal']
  /** Epoch milliseconds. Default: the clock. */
  readonly now?: () => number
}

/**
 * The name of a person whom a provider knows. It has the issuer, not the name of the provider in the file, so it means the
 * same person whatever the file says later. No issuer has `|`, and no name in the file begins like a URL.
 */
export function accountName(issuer: string, subject: string): string {
  return `${issuer}|${subject}`
}

/** Creates the accounts of the providers of a configuration. */
export function createAccounts({ upstreams, store, seal, now = Date.now }: AccountsOptions): Accounts {
  const byIssuer = new Map(Object.entries(upstreams).map(([name, config]) => [config.issuer, { name, config }]))
  return {
    async keep(upstream, subject, said) {
      const config = upstreams[upstream]
      if (config === undefined) return undefined
      const { issuer } = config
      const claims = neededClaims(said, config)
      if (judgePerson(claims, config).kind === 'stranger') return undefined
      const account = accountName(issuer, subject)
      const record = recordName(account)
      await store.put(record, sealJson(seal, record, { issuer, subject, claims, since: now() }))
      return account
    },
    async find(account) {
      const record = recordName(account)
      const sealed = (await store.get(record))?.value
      if (sealed === undefined) return undefined
      const read = accountSchema.safeParse(openJson(seal, record, sealed))
      const known = byIssuer.get(read.data?.issuer ?? '')
      if (!read.success || known === undefined) return undefined
      const { claims, subject, since } = read.data
      if (since + known.config.loginAgain * 1000 <= now()) return undefined
      const verdict = judgePerson(claims, known.config)
      if (verdict.kind === 'stranger') return undefined
      return { claims: verdict.claims, label: `${labelOf(claims) ?? subject} (${known.name})` }
    },
  }
}

/** Names of records are not sealed. */
function recordName(account: string): string {
  return createHash('sha256').update(account).digest('base64url')
}

function labelOf({ email, name }: Claims): string | undefined {
  return [email, name].find((text): text is string => typeof text === 'string' && text !== '')
}
