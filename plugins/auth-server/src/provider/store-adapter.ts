import { createHash } from 'node:crypto'
import type { PluginContext } from '@junctor/plugin-sdk'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'

/**
 * A record of the authorization server. Records are marked and never deleted, because storage may come back with an
 * older state.
 */
type Stored = {
  /** `null`: it was destroyed. */
  readonly payload: Record<string, never> | null
  /** Epoch milliseconds. `null`: it does not expire by itself. */
  readonly expires: number | null
}

type Records = ReturnType<PluginContext['store']>

/** The stores, by the lifetime of their records. */
export interface RecordStores {
  /** Logins that have begun, by anybody. */
  readonly begun: Records
  /** Codes, tokens, logins. */
  readonly short: Records
  /** Consents, refresh tokens and revocations. */
  readonly long: Records
  /** Clients that have registered themselves, and that no person has agreed to yet. */
  readonly newClients: Records
  /** Clients that a person has agreed to. */
  readonly clients: Records
}

const longLived: ReadonlySet<string> = new Set(['RefreshToken', 'Grant'])

/** The models that belong to a grant, and end with it. The session of a browser would lead to a grant that has ended. */
const ofGrants: ReadonlySet<string> = new Set(['AccessToken', 'AuthorizationCode', 'Grant', 'RefreshToken'])

/** The adapters of oidc-provider for records that all nodes share. */
export function createAdapters(stores: RecordStores, now: () => number = Date.now): (model: string) => Adapter {
  return (model) => new StoreAdapter(model, stores, now)
}

/**
 * How long a refresh token may be used again after its first use, in seconds. The answer of the first use may be lost, and
 * two processes of a client that keep their tokens in one file renew them at the same time. Long enough to try again, too
 * short for most of those who find an old token.
 */
const repeatSeconds = 30

/** The kind of the records that list the grants of an account: the names of account and grant, both as hashes. */
const grantsOfAccount = 'account-grant'

/**
 * Ends all grants of an account, with their tokens and codes. A grant that is made at the same time may stay.
 *
 * @param long the store of grants
 */
export async function endGrantsOf(account: string, long: RecordStores['long']): Promise<void> {
  const prefix = `${nameOf(grantsOfAccount, account)}.`
  const keys = await long.keys(prefix)
  const grants = keys.map((key) => key.slice(prefix.length))
  await Promise.all(grants.map((grant) => long.put(`revoked.${grant}`, { payload: null, expires: null })))
}

/** The name of a record: a hash, because ids may be tokens and names are not encrypted. */
function nameOf(kind: string, id: string): string {
  return `${kind}.${hashOf(id)}`
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url')
}

class StoreAdapter implements Adapter {
  readonly #model: string
  readonly #stores: RecordStores
  readonly #records: Records
  readonly #now: () => number

  constructor(model: string, stores: RecordStores, now: () => number) {
    this.#model = model
    this.#stores = stores
    this.#records = storeOf(model, stores)
    this.#now = now
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number | undefined): Promise<void> {
    const expires = typeof expiresIn === 'number' ? this.#now() + expiresIn * 1000 : null
    // Undefined members are not JSON.
    const plain = JSON.parse(JSON.stringify(payload)) as Record<string, never>
    if (this.#model === 'Grant' && payload.accountId !== undefined) {
      const name = `${nameOf(grantsOfAccount, payload.accountId)}.${hashOf(id)}`
      await this.#records.put(name, { payload: {}, expires })
      await this.#keepClient(payload.clientId)
    }
    await this.#records.put(nameOf(this.#model, id), { payload: plain, expires })
    if (payload.uid !== undefined) {
      const index = { payload: { id } as unknown as Record<string, never>, expires }
      await this.#records.put(nameOf(`${this.#model}-uid`, payload.uid), index)
    }
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const name = nameOf(this.#model, id)
    const isClient = this.#model === 'Client'
    const stored = (isClient ? await this.#stores.clients.get(name) : undefined) ?? (await this.#records.get(name))
    const payload = payloadOf(stored, this.#now())
    if (payload === undefined) return undefined
    if (await this.#isRevoked(this.#model === 'Grant' ? id : payload.grantId)) return undefined
    if (!this.#mayRepeat(payload)) return payload
    // The library would end the grant of a token that was used.
    const { consumed: _used, ...unused } = payload
    return unused
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const index = payloadOf(await this.#records.get(nameOf(`${this.#model}-uid`, uid)), this.#now())
    const { id } = (index ?? {}) as { id?: unknown }
    const found = typeof id === 'string' ? await this.find(id) : undefined
    return found?.uid === uid ? found : undefined
  }

  /** The device flow is not supported. */
  async findByUserCode(): Promise<undefined> {
    return undefined
  }

  /**
   * Marks a code or a refresh token as used. If a code is used twice at the same time, also at different nodes, one use
   * fails, and the tokens of both are revoked. A refresh token may be used again for `repeatSeconds`.
   */
  async consume(id: string): Promise<void> {
    const name = nameOf(this.#model, id)
    const stored = await this.#records.get(name)
    const payload = payloadOf(stored, this.#now())
    if (stored === undefined || payload === undefined) throw new errors.InvalidGrant('it was not found')
    if (this.#mayRepeat(payload)) return
    if (payload.consumed === undefined) {
      const { expires } = stored.value as Stored
      const consumed = { ...payload, consumed: Math.floor(this.#now() / 1000) } as unknown as Record<string, never>
      const written = await this.#records.put(name, { payload: consumed, expires }, stored.revision)
      if (written !== 'conflict' || this.#model === 'RefreshToken') return
    }
    if (payload.grantId !== undefined) await this.revokeByGrantId(payload.grantId)
    throw new errors.InvalidGrant('it was used before')
  }

  async destroy(id: string): Promise<void> {
    await this.#records.put(nameOf(this.#model, id), { payload: null, expires: null })
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#stores.long.put(nameOf('revoked', grantId), { payload: null, expires: null })
  }

  /** Keeps a client for as long as clients are kept from the day on which a person has agreed. */
  async #keepClient(id: string | undefined): Promise<void> {
    if (id === undefined) return
    const name = nameOf('Client', id)
    const { clients, newClients } = this.#stores
    const stored = (await clients.get(name)) ?? (await newClients.get(name))
    if (stored !== undefined) await clients.put(name, stored.value)
  }

  /** Whether a token was used, and so recently that it may be used again. */
  #mayRepeat({ consumed }: AdapterPayload): boolean {
    if (this.#model !== 'RefreshToken' || typeof consumed !== 'number') return false
    return Math.floor(this.#now() / 1000) - consumed <= repeatSeconds
  }

  async #isRevoked(grantId: string | undefined): Promise<boolean> {
    if (grantId === undefined || !ofGrants.has(this.#model)) return false
    return (await this.#stores.long.get(nameOf('revoked', grantId))) !== undefined
  }
}

function storeOf(model: string, { begun, short, long, newClients }: RecordStores): Records {
  if (model === 'Client') return newClients
  if (model === 'Interaction') return begun
  return longLived.has(model) ? long : short
}

function payloadOf(stored: { readonly value: unknown } | undefined, now: number): AdapterPayload | undefined {
  const { payload = null, expires = null } = (stored?.value ?? {}) as Partial<Stored>
  if (payload === null || (expires !== null && expires <= now)) return undefined
  return payload
}
