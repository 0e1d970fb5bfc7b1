import type { Receiver, Transport } from '@junctor/contracts'
import { type Message, parseFrame, printMessage } from '@junctor/jsonrpc'
import { JunctorError } from '@junctor/protocol'

/** One end of an in-memory connection. */
export interface PairEnd extends Transport {
  /** Stops receiving until `resume`: a slow reader. */
  pause(): void
  resume(): void
}

/** Two ends: a message that one end sends is received by the other. */
export interface TransportPair {
  readonly left: PairEnd
  readonly right: PairEnd
}

/** How many messages may wait for a receiver before its sender must wait. */
const capacity = 16

/**
 * Connects two receivers in memory, as a socket would: messages cross as text, in order, in a later turn of the event
 * loop; a slow receiver makes its sender wait; when one end closes, the other one is notified.
 */
export function createTransportPair(leftReceiver: Receiver, rightReceiver: Receiver): TransportPair {
  const left = new MemoryEnd(leftReceiver)
  const right = new MemoryEnd(rightReceiver)
  left.connect(right)
  right.connect(left)
  return { left, right }
}

class MemoryEnd implements PairEnd {
  readonly closed: Promise<Error | undefined>
  readonly #receiver: Receiver
  readonly #closed = Promise.withResolvers<Error | undefined>()
  #peer: MemoryEnd | undefined
  #over = false
  #paused = false
  #scheduled = false
  /** Messages from the other end that this end has not received yet. */
  #arrived: string[] = []
  /** The promise on which the other end waits. */
  #room: PromiseWithResolvers<void> | undefined

  constructor(receiver: Receiver) {
    this.#receiver = receiver
    this.closed = this.#closed.promise
  }

  connect(peer: MemoryEnd): void {
    this.#peer = peer
  }

  send(message: Message): Promise<void> | undefined {
    return this.#over ? undefined : this.#peer?.arrive(printMessage(message, { nullId: true }))
  }

  async close(reason?: Error): Promise<void> {
    if (this.#over) return
    this.#end(reason)
    this.#peer?.peerClosed()
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#schedule()
  }

  arrive(text: string): Promise<void> | undefined {
    if (this.#over) return undefined
    this.#arrived.push(text)
    this.#schedule()
    if (this.#arrived.length <= capacity) return undefined
    this.#room ??= Promise.withResolvers<void>()
    return this.#room.promise
  }

  peerClosed(): void {
    if (!this.#over) this.#end(new JunctorError('CLOSED', 'The other end closed'))
  }

  #schedule(): void {
    if (this.#scheduled || this.#arrived.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#deliver()
    })
  }

  #deliver(): void {
    while (!this.#over && !this.#paused) {
      const text = this.#arrived.shift()
      if (text === undefined) break
      const frame = parseFrame(text)
      if (frame.kind === 'message') this.#receiver.message(frame.message)
    }
    if (this.#arrived.length <= capacity) this.#makeRoom()
  }

  #end(error: Error | undefined): void {
    this.#over = true
    this.#arrived = []
    this.#makeRoom()
    this.#closed.resolve(error)
  }

  #makeRoom(): void {
    this.#room?.resolve()
    this.#room = undefined
  }
}
