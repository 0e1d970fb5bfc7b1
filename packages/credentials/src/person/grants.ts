import { setTimeout as pause } from 'node:timers/promises'
import type { Seal, Store, Stored } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { oauthErrorOf } from '../oauth/token-failure.ts'
import type { Tokens } from '../oauth/tokens.ts'
import { type Grant, grantSchema } from './grant.ts'
import type { Person } from '@junctor/plugin-sdk'
import { recordName } from './person.ts'
import { openJson, sealJson } from './sealed-json.ts'

/** A grant in the store, readable for nodes of the cluster only. */
export type GrantRecord = {
  /** `null`: it has ended. Records are not deleted, because storage may return with an older state. */
  readonly sealed: string | null
  /** Until then one node renews it, in epoch milliseconds. `null`: none does. */
  readonly renewingUntil: number | null
}

export interface GrantsOptions {
  readonly store: Store<GrantRecord>
  readonly seal: Seal
  /** Called after a grant was made or ended. */
  readonly changed: () => Promise<void>
  /** Gets new tokens for a grant from its issuer. */
  readonly refresh: (grant: Grant) => Promise<Tokens>
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** The grants of all people at one backend, which all nodes share. */
export interface Grants {
  /** The grant of a person. Undefined: there is none. */
  read(person: Person): Promise<Grant | undefined>
  /** Stores a grant in place of the old one. */
  put(person: Person, grant: Grant): Promise<void>
  /** Ends a grant, and returns it. */
  end(person: Person): Promise<Grant | undefined>
  /**
   * The grant after one with this token: renewed by this node, or by another one meanwhile. Undefined: the issuer renews it
   * no more. Rejects with a JunctorError when the issuer cannot answer now; the grant stays.
   */
  renew(person: Person, token: string): Promise<Grant | undefined>
}

/** A node that renews a grant and is killed is not waited for longer, in milliseconds. */
const renewalMs = 15_000
const pollMs = 100

const ended: GrantRecord = { sealed: null, renewingUntil: null }

/** Creates the grants of a backend. */
export function createGrants(options: GrantsOptions): Grants {
  return new StoredGrants(options)
}

class StoredGrants implements Grants {
  readonly #options: GrantsOptions
  /** Renewals of this node, so that its links ask the store once. */
  readonly #renewals = new Map<string, Promise<Grant | undefined>>()

  constructor(options: GrantsOptions) {
    this.#options = options
  }

  async read(person: Person): Promise<Grant | undefined> {
    return this.#open(person, await this.#options.store.get(recordName(person)))
  }

  async put(person: Person, grant: Grant): Promise<void> {
    await this.#options.store.put(recordName(person), this.#record(person, grant))
    await this.#options.changed()
  }

  async end(person: Person): Promise<Grant | undefined> {
    const grant = await this.read(person)
    await this.#options.store.put(recordName(person), ended)
    await this.#options.changed()
    return grant
  }

  renew(person: Person, token: string): Promise<Grant | undefined> {
    const key = JSON.stringify([recordName(person), token])
    const running = this.#renewals.get(key)
    if (running !== undefined) return running
    const renewal = this.#renew(person, token).finally(() => this.#renewals.delete(key))
    this.#renewals.set(key, renewal)
    return renewal
  }

  async #renew(person: Person, token: string): Promise<Grant | undefined> {
    const { store, now } = this.#options
    const name = recordName(person)
    const giveUpAt = now() + 2 * renewalMs
    while (now() < giveUpAt) {
      const stored = await store.get(name)
      const grant = this.#open(person, stored)
      if (stored === undefined || grant === undefined) return undefined
      if (grant.tokens.accessToken !== token) return grant
      if (grant.tokens.refreshToken === null) {
        if ((await store.put(name, ended, stored.revision)) === 'conflict') continue
        return undefined
      }
      if ((stored.value.renewingUntil ?? 0) > now()) {
        await pause(pollMs)
        continue
      }
      const claim = { ...stored.value, renewingUntil: now() + renewalMs }
      const revision = await store.put(name, claim, stored.revision)
      if (revision === 'conflict') continue
      if (await this.#refresh(person, grant, revision)) continue
      return undefined
    }
    throw new JunctorError('TIMED_OUT', 'Another node did not renew the token in time')
  }

  /** Renews a grant that this node has claimed. Returns whether there may be a grant now. */
  async #refresh(person: Person, grant: Grant, revision: number): Promise<boolean> {
    const { store, refresh, now } = this.#options
    const name = recordName(person)
    try {
      const tokens = await refresh(grant)
      // A conflict: the person has agreed again, or has ended the grant. That counts.
      await store.put(name, this.#record(person, { ...grant, tokens, renewed: now() }), revision)
      return true
    } catch (error) {
      if (oauthErrorOf(error) === 'invalid_grant') {
        const written = await store.put(name, ended, revision)
        return written === 'conflict'
      }
      await store.put(name, this.#record(person, grant), revision)
      throw error
    }
  }

  #record(person: Person, grant: Grant): GrantRecord {
    return { sealed: sealJson(this.#options.seal, placeOf(person), grant), renewingUntil: null }
  }

  #open(person: Person, stored: Stored<GrantRecord> | undefined): Grant | undefined {
    const sealed = stored?.value.sealed
    if (typeof sealed !== 'string') return undefined
    const read = grantSchema.safeParse(openJson(this.#options.seal, placeOf(person), sealed))
    return read.success ? read.data : undefined
  }
}

/** A grant that is stored for one person cannot be read for another one. */
function placeOf({ tenant, principal }: Person): string {
  return JSON.stringify(['grant', tenant, principal])
}
