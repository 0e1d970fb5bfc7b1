import type { Log, Store } from '@junctor/contracts'
import type { KeyCheck } from './key-check.ts'
import type { Storage } from './storage.ts'

/** How often a node finds out whether things can be stored, in milliseconds; and after it could not. */
const everyMs = 5_000
const againMs = 1_000

/** A connection that is lost for less time is about to come back, in milliseconds. */
const lostMs = 3_000

/** What is written: more than one page of a disk, so that a full one has no room for it. */
const written = '.'.repeat(8_192)

/** Finds out, time and again, whether a node can reach others and store things: a full disk says nothing by itself. */
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

  /** @param store where the node writes for the sake of writing, under its name */
  constructor(storage: Storage, key: KeyCheck, store: Store<string>, node: string) {
    this.#log = storage.log
    this.#key = key
    this.#storage = storage
    this.#store = store
    this.#node = node
  }

  /** What is wrong, for whoever runs the node. */
  get problem(): string | undefined {
    return this.#storage.state.lostMs >= lostMs
      ? 'the connection to NATS is lost'
      : (this.#key.problem ?? this.#failure)
  }

  start(): void {
    void this.#look()
  }

  /** Removes what was written. What cannot be removed goes by itself. */
  stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    return this.#store.delete(this.#node).catch(() => {})
  }

  async #look(): Promise<void> {
    try {
      await this.#key.look()
      await this.#store.put(this.#node, written)
      if (this.#failure !== undefined) this.#log.info('NATS stores what it is given again')
      this.#failure = undefined
      this.roundTripMs = await this.#storage.connection.rtt()
    } catch (error) {
      if (this.#failure === undefined && !this.#isStopped && !this.#key.isStranger)
        this.#log.error('NATS does not store what it is given', { error })
      this.#failure = error instanceof Error ? error.message : String(error)
    }
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#look(), this.#failure === undefined ? everyMs : againMs)
    this.#timer.unref()
  }
}
