import type { Log, Store } from '@junctor/contracts'
import { errorOf } from '@junctor/primitives'
import type { KeyCheck } from './storage/key-check.ts'
import { serverProblem } from './server-problem.ts'
import type { Storage } from './storage/storage.ts'

/** How often a node checks whether storage works, in milliseconds; and how soon after a failure. */
const everyMs = 5_000
const againMs = 1_000

/** A shorter loss of the connection is not reported, in milliseconds: the client is still reconnecting. */
const lostMs = 3_000

/** The test value: larger than a page of a disk, so that it does not fit on a full one. */
const written = '.'.repeat(8_192)

/** Checks regularly whether a node can reach others and store data: a full disk is not reported otherwise. */
export class FabricHealth {
  roundTripMs: number | undefined = undefined
  readonly #storage: Storage
  readonly #store: Store<string>
  readonly #node: string
  readonly #log: Log
  readonly #key: KeyCheck
  #failure: string | undefined = undefined
  #timer: NodeJS.Timeout | undefined = undefined
  #isStopped = false

  /** @param store where the node writes its test value, under its own name */
  constructor(storage: Storage, key: KeyCheck, store: Store<string>, node: string) {
    this.#log = storage.log
    this.#key = key
    this.#storage = storage
    this.#store = store
    this.#node = node
  }

  /** The current problem, for the operator of the node. */
  get problem(): string | undefined {
    const { state, connection, replicas } = this.#storage
    if (state.lostMs >= lostMs) return 'the connection to NATS is lost'
    // The connection may have moved to a server of another version.
    return serverProblem(connection.info?.version, replicas) ?? this.#key.problem ?? this.#failure
  }

  start(): void {
    void this.#look()
  }

  /** Removes the test value. If that fails, it expires. */
  stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    return this.#store.delete(this.#node).catch(() => {})
  }

  async #look(): Promise<void> {
    try {
      await this.#key.look()
      await this.#store.put(this.#node, written)
      for (const stream of this.#storage.refused) await stream.make()
      if (this.#failure !== undefined) this.#log.info('NATS stores data again')
      this.#failure = undefined
      // What the client itself returns is in whole milliseconds: zero for a server that is near.
      const askedAt = performance.now()
      await this.#storage.connection.rtt()
      this.roundTripMs = performance.now() - askedAt
    } catch (error) {
      if (this.#failure === undefined && !this.#isStopped && !this.#key.hasWrongKey)
        this.#log.error('NATS does not store data', { error })
      this.#failure = errorOf(error).message
    }
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#look(), this.#failure === undefined ? everyMs : againMs)
    this.#timer.unref()
  }
}
