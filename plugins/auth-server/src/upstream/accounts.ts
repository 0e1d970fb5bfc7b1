import { createHash } from 'node:crypto'
import { openJson, sealJson } from '@junctor/credentials'
import type { PluginContext } from '@junctor/plugin-sdk'
import type { Store } from '@junctor/plugin-sdk/link'
import * as z from 'zod'
import { judgePerson, neededClaims } from './person-claims.ts'
import type { UpstreamConfig } from './upstream-config.ts'

type Claims = Readonly<Record<string, unknown>>

/** The stored data of a person who has logged in at a provider. The provider's tokens are not stored. */
const accountSchema = z.object({
  issuer: z.string(),
  subject: z.string(),
  claims: z.record(z.string(), z.unknown()),
  /** Epoch milliseconds of the last login. */
  since: z.number(),
})

/** A person who may log in. */
export interface Person {
  readonly claims: Claims
  /** The name of the person on pages. */
  readonly label: string
}

/** The people who have logged in at providers. All nodes share them. */
export interface Accounts {
  /** Stores the claims of a person. Returns the account name. `undefined`: the person may not log in. */
  keep(upstream: string, subject: string, providerClaims: Claims): Promise<string | undefined>
  /**
   * The person of an account. `undefined`: nobody with this account name has logged in, the last login was too long ago, or
   * the current configuration does not admit the person.
   */
  find(account: string): Promise<Person | undefined>
  /** Ends the login of a person: `find` returns `undefined` until the next login. */
  end(upstream: string, subject: string): Promise<void>
}

/** The providers whose people are kept, and where. */
export interface AccountsOptions {
  readonly upstreams: Readonly<Record<string, UpstreamConfig>>
  /** Its records live at least as long as the longest `loginAgain`. */
  readonly store: Store<string>
  readonly seal: PluginContext['seal']
  /** Epoch milliseconds. Default: the clock. */
  readonly now?: () => number
}

/**
 * The account name of a provider's person. It contains the issuer and not the provider's name in the file. So it means the
 * same person after a change of the file. No issuer contains `|`, and no name in the file begins like a URL.
 */
export function accountName(issuer: string, subject: string): string {
  return `${issuer}|${subject}`
}

/** Creates the accounts of the providers of a configuration. */
export function createAccounts({ upstreams, store, seal, now = Date.now }: AccountsOptions): Accounts {
  const write = async (account: string, data: z.infer<typeof accountSchema>): Promise<void> => {
    const record = recordName(account)
    await store.put(record, sealJson(seal, record, data))
  }
  const byIssuer = new Map(Object.entries(upstreams).map(([name, config]) => [config.issuer, { name, config }]))
  return {
    async keep(upstream, subject, providerClaims) {
      const config = upstreams[upstream]
      if (config === undefined) return undefined
      const { issuer } = config
      const claims = neededClaims(providerClaims, config)
      if (judgePerson(claims, config).kind === 'not_a_member') return undefined
      const account = accountName(issuer, subject)
      await write(account, { issuer, subject, claims, since: now() })
      return account
    },
    async end(upstream, subject) {
      const issuer = upstreams[upstream]?.issuer
      // A record that is deleted could come back with an older state of the storage.
      if (issuer !== undefined) await write(accountName(issuer, subject), { issuer, subject, claims: {}, since: 0 })
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
      if (verdict.kind === 'not_a_member') return undefined
      return { claims: verdict.claims, label: `${labelOf(claims) ?? subject} (${known.name})` }
    },
  }
}

/** A hash, because the names of records are not sealed. */
function recordName(account: string): string {
  return createHash('sha256').update(account).digest('base64url')
}

function labelOf({ email, name }: Claims): string | undefined {
  return [email, name].find((text): text is string => typeof text === 'string' && text !== '')
}
