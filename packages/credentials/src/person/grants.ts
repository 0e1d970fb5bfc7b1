import { setTimeout as pause } from 'node:timers/promises'
import type { Seal, Store, Stored } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { coversServer } from '../oauth/covers-server.ts'
import { RecentFailures } from '../oauth/recent-failures.ts'
import { oauthErrorOf } from '../oauth/token-failure.ts'
import type { Tokens } from '../oauth/tokens.ts'
import type { Consent, SendRefresh } from './consent.ts'
import { type Grant, grantSchema } from './grant.ts'
import type { Person } from '@junctor/plugin-sdk'
import { hashOf, recordName } from './person.ts'
import { openJson, sealJson } from './sealed-json.ts'

/** A grant in the store, readable for nodes of the cluster only. */
export type GrantRecord = {
  /** `null`: it has ended. Records are not deleted, because storage may return with an older state. */
  readonly sealed: string | null
  /** Until then one node renews it, in epoch milliseconds by that node's clock. `null`: none does. */
  readonly renewingUntil: number | null
}

/** Where grants are kept and sealed, for which server, and what is called after changes. */
export interface GrantsOptions {
  /** The server that the tokens are sent to. */
  readonly serverUrl: string
  readonly store: Store<GrantRecord>
  readonly seal: Seal
  /** Called after a grant was made or ended. */
  readonly changed: () => Promise<void>
  /** What the issuers of grants are asked for. */
  readonly consent: Pick<Consent, 'prepareRefresh' | 'revoke'>
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The grants of all people at one backend, which all nodes share. */
export interface Grants {
  /** The grant of a person for this server. Undefined: there is none, or it is for a server that had the name before. */
  read(person: Person): Promise<Grant | undefined>
  /** Stores a grant in place of the old one. One that cannot be stored ends at its issuer too. */
  put(person: Person, grant: Grant): Promise<void>
  /** Ends a grant, here and at its issuer, also while a node renews it. */
  end(person: Person): Promise<void>
  /**
   * The grant after one with this token: renewed by this node, or by another one meanwhile. Undefined: the issuer renews it
   * no more. Rejects with a JunctorError when the issuer cannot answer now, and for seconds after that; the grant stays. Its
   * cause is `invalid_grant` when the issuer is not where it was.
   */
  renew(person: Person, token: string): Promise<Grant | undefined>
}

/**
 * A node that renews a grant and is killed is not waited for longer, in milliseconds. Two nodes must not use one refresh token,
 * so that it is longer than a write of the claim and the request.
 */
const renewalMs = 20_000

/** A claim that ended longer ago has ended by the clock of every node, in milliseconds. */
const clockMs = 5 * 60_000

/** Between two looks at a claim of another node, and between two attempts to store new tokens, in milliseconds. */
const pollMs = 100

/**
 * A grant that is used, and was not written for so long, is written again: the storage forgets it otherwise. In
 * milliseconds.
 */
const keptMs = 30 * 24 * 60 * 60 * 1000

/** How many failed renewals are remembered. */
const mostFailures = 10_000

const ended: GrantRecord = { sealed: null, renewingUntil: null }

/** Creates the grants of a backend. */
export function createGrants(options: GrantsOptions): Grants {
  return new StoredGrants(options)
}

class StoredGrants implements Grants {
  readonly #options: GrantsOptions
  /** Renewals of this node, so that its links ask the store once. */
  readonly #renewals = new Map<string, Promise<Grant | undefined>>()
  readonly #failures: RecentFailures

  constructor(options: GrantsOptions) {
    this.#options = options
    this.#failures = new RecentFailures(mostFailures, options.now)
  }

  async read(person: Person): Promise<Grant | undefined> {
    const { store, now } = this.#options
    const name = recordName(person)
    const stored = await store.get(name)
    const grant = this.#forServer(person, stored)
    if (stored === undefined || grant === undefined) return undefined
    const isOld = now() - (grant.kept ?? grant.renewed ?? grant.since) > keptMs
    if (isOld && !mayHold(stored.value, now())) {
      const record = this.#record(person, { ...grant, kept: now() })
      // It is still read when it cannot be written.
      await store.put(name, record, stored.revision).catch(() => undefined)
    }
    return grant
  }

  async put(person: Person, grant: Grant): Promise<void> {
    const { store, changed, consent } = this.#options
    try {
      await store.put(recordName(person), this.#record(person, grant))
    } catch (error) {
      // Nobody could use or end it.
      await consent.revoke(grant)
      throw error
    }
    await changed()
  }

  async end(person: Person): Promise<void> {
    const { store, changed, consent } = this.#options
    const name = recordName(person)
    // oxlint-disable no-await-in-loop -- until no other node has written in between
    for (;;) {
      const stored = await store.get(name)
      if ((await store.put(name, ended, stored?.revision)) === 'conflict') continue
      await changed()
      const grant = this.#open(person, stored)
      if (grant !== undefined) await consent.revoke(grant)
      return
    }
    // oxlint-enable no-await-in-loop
  }

  async renew(person: Person, token: string): Promise<Grant | undefined> {
    const key = hashOf(JSON.stringify([recordName(person), token]))
    this.#failures.check(key)
    const running = this.#renewals.get(key) ?? this.#renewOnce(person, token, key)
    this.#renewals.set(key, running)
    return running
  }

  async #renewOnce(person: Person, token: string, key: string): Promise<Grant | undefined> {
    try {
      return await this.#renew(person, token)
    } catch (error) {
      this.#failures.add(key, error)
      throw error
    } finally {
      this.#renewals.delete(key)
    }
  }

  async #renew(person: Person, token: string): Promise<Grant | undefined> {
    const { store, consent, now } = this.#options
    const name = recordName(person)
    const giveUpAt = now() + 2 * renewalMs
    let before: Grant | undefined
    let seen: SeenClaim | undefined
    while (now() < giveUpAt) {
      const stored = await store.get(name)
      const grant = this.#forServer(person, stored)
      if (stored === undefined || grant === undefined) return undefined
      before ??= grant
      // Some issuers give the same token again, for longer.
      if (grant.tokens.accessToken !== token || grant.renewed !== before.renewed) return grant
      if (grant.tokens.refreshToken === null) {
        if (await this.#endAt(name, stored.revision)) return undefined
        continue
      }
      if (seen?.revision !== stored.revision) seen = { revision: stored.revision, at: now() }
      if (mayHold(stored.value, now()) && now() < seen.at + renewalMs) {
        await pause(pollMs)
        continue
      }
      const send = await consent.prepareRefresh(grant)
      const renewingUntil = now() + renewalMs
      const revision = await store.put(name, { ...stored.value, renewingUntil }, stored.revision)
      if (revision === 'conflict') continue
      if (!(await this.#refresh(person, grant, { send, revision, renewingUntil }))) return undefined
    }
    throw new JunctorError('TIMED_OUT', 'Another node did not renew the token in time')
  }

  /** Renews a grant that this node has claimed. Returns whether there may be a grant now. */
  async #refresh(person: Person, grant: Grant, { send, ...claim }: Claim & { send: SendRefresh }): Promise<boolean> {
    const { store, now } = this.#options
    const name = recordName(person)
    let tokens: Tokens
    try {
      tokens = await send()
    } catch (error) {
      if (oauthErrorOf(error) === 'invalid_grant') return !(await this.#endAt(name, claim.revision))
      await store.put(name, this.#record(person, grant), claim.revision)
      throw error
    }
    await this.#keep(person, { ...grant, tokens, renewed: now() }, claim)
    return true
  }

  /**
   * Stores a renewed grant. Its refresh token is the only good one, so this is tried again as long as the claim holds. The
   * person may have ended the grant meanwhile, and that counts: then the new tokens are revoked at the issuer too.
   */
  async #keep(person: Person, renewed: Grant, { revision, renewingUntil }: Claim): Promise<void> {
    const { store, consent, now } = this.#options
    const name = recordName(person)
    const record = this.#record(person, renewed)
    // oxlint-disable no-await-in-loop -- one attempt after the other
    for (;;) {
      try {
        if ((await store.put(name, record, revision)) !== 'conflict') return
        // An attempt before this one may have been stored, though it seemed to fail.
        const stored = await store.get(name)
        if (stored?.value.sealed === null) await consent.revoke(renewed)
        return
      } catch (error) {
        if (now() + pollMs >= renewingUntil) throw error
        await pause(pollMs)
      }
    }
    // oxlint-enable no-await-in-loop
  }

  /** Ends a grant that its issuer renews no more. Returns false when it was written meanwhile. */
  async #endAt(name: string, revision: number): Promise<boolean> {
    const { store, changed } = this.#options
    if ((await store.put(name, ended, revision)) === 'conflict') return false
    await changed()
    return true
  }

  #record(person: Person, grant: Grant): GrantRecord {
    return { sealed: sealJson(this.#options.seal, placeOf(person), grant), renewingUntil: null }
  }

  /** The name of a backend may have been that of another server before: its tokens are not for this one. */
  #forServer(person: Person, stored: Stored<GrantRecord> | undefined): Grant | undefined {
    const grant = this.#open(person, stored)
    return grant !== undefined && coversServer(grant.resource, this.#options.serverUrl) ? grant : undefined
  }

  #open(person: Person, stored: Stored<GrantRecord> | undefined): Grant | undefined {
    const sealed = stored?.value.sealed
    if (typeof sealed !== 'string') return undefined
    const read = grantSchema.safeParse(openJson(this.#options.seal, placeOf(person), sealed))
    return read.success ? read.data : undefined
  }
}

/** What a node that renews a grant has written. */
interface Claim {
  readonly revision: number
  readonly renewingUntil: number
}

/** A claim of another node. */
interface SeenClaim {
  readonly revision: number
  /** When this node read it first, in epoch milliseconds of its own clock. */
  readonly at: number
}

/**
 * Whether another node may renew this grant now. The clock of that node may be behind, so this is true for some time after the
 * claim seems to have ended.
 */
function mayHold({ renewingUntil }: GrantRecord, now: number): boolean {
  return renewingUntil !== null && now < renewingUntil + clockMs
}

/** A grant that is stored for one person cannot be read for another one. */
function placeOf({ tenant, principal }: Person): string {
  return JSON.stringify(['grant', tenant, principal])
}
