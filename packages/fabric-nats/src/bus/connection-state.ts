import type { ErrorReporter, StorageKind } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { connectionChanges, maxPayloadOf } from '@junctor/nats'
import type { NatsConnection } from '@nats-io/transport-node'

/** How long a lost connection is waited for, in milliseconds. */
const timeoutMs = 2_000

/** The connection of a node, and the number of failed storage operations on it. */
export class ConnectionState {
  readonly failures: Record<StorageKind, number> = { store: 0, log: 0, queue: 0 }
  reconnects = 0
  readonly #connection: NatsConnection
  readonly #reportError: ErrorReporter
  #lostAt: number | undefined = undefined
  #maxPayload: number
  readonly #waiting = new Set<() => void>()

  constructor(connection: NatsConnection, reportError: ErrorReporter) {
    this.#connection = connection
    this.#maxPayload = maxPayloadOf(connection)
    this.#reportError = reportError
    void this.#follow()
  }

  get isConnected(): boolean {
    return this.#lostAt === undefined && !this.#connection.isClosed()
  }

  /** The most bytes of a message that the server takes. While the connection is lost: that it took before. */
  get maxPayload(): number {
    // The library forgets it while it connects again. The server ends the connection after a larger message.
    if (this.#connection.info !== undefined) this.#maxPayload = maxPayloadOf(this.#connection)
    return this.#maxPayload
  }

  /** How long the connection has been lost, in milliseconds; 0 when it is connected. */
  get lostMs(): number {
    return this.#lostAt === undefined ? 0 : performance.now() - this.#lostAt
  }

  /** Throws `FABRIC_UNAVAILABLE` when the connection has been lost for so long that callers should not wait for it. */
  check(): void {
    if (this.lostMs < timeoutMs) return
    throw new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost')
  }

  /** Waits for the connection, but not long. Resolves with whether it is connected. */
  async there(): Promise<boolean> {
    if (this.isConnected) return true
    const left = timeoutMs - this.lostMs
    if (left <= 0 || this.#connection.isClosed()) return false
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = this.onReconnect(resolve)
    const timer = setTimeout(resolve, left)
    await promise
    clearTimeout(timer)
    stop()
    return this.isConnected
  }

  /**
   * Calls `back` each time that the connection is back, or permanently closed, until the returned function is called.
   */
  onReconnect(back: () => void): () => void {
    this.#waiting.add(back)
    return () => void this.#waiting.delete(back)
  }

  async #follow(): Promise<void> {
    for await (const change of connectionChanges(this.#connection)) {
      this.#lostAt = change === 'lost' ? performance.now() : undefined
      if (change === 'lost') continue
      this.reconnects += 1
      this.#publish()
    }
    this.#publish()
  }

  #publish(): void {
    for (const back of this.#waiting) {
      try {
        back()
      } catch (error) {
        this.#reportError('message', error)
      }
    }
  }
}
