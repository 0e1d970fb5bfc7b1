import type { Socket } from 'node:net'
import { LinkedList, type Place } from './linked-list.ts'

/** An answer that is not finished, as its connection sees it. */
export interface OpenSink {
  /** The connection is gone. */
  lost(): void
  /** The server closes: ends it if that cuts nothing short. */
  leave(): void
  /** The server has waited long enough: ends it whatever that cuts short. */
  abandon(): void
}

/**
 * The answers that are not finished, by socket. A socket has one listener for all of its answers: one for each would
 * keep what is finished in memory for as long as the client keeps the connection, and costs more than the answer.
 */
export class OpenSinks {
  readonly #sockets = new Map<Socket, LinkedList<OpenSink>>()
  #count = 0
  #emptied: (() => void) | undefined

  /** A sink on a socket that is gone already is told so at once. */
  add(socket: Socket, place: Place<OpenSink>): void {
    if (socket.destroyed) {
      place.item.lost()
      return
    }
    const sinks = this.#sockets.get(socket) ?? this.#follow(socket)
    sinks.append(place)
    this.#count += 1
  }

  /** The sink is finished. */
  delete(place: Place<OpenSink>): void {
    if (place.list?.remove(place) !== true) return
    this.#count -= 1
    if (this.#count === 0) this.#emptied?.()
  }

  /** Whether a request of this socket waits for its answer, or for the rest of it. */
  has(socket: Socket): boolean {
    return this.#sockets.get(socket)?.first !== undefined
  }

  /** Ends what may end, waits up to `graceMs` for the rest, then ends that too. */
  async drain(graceMs: number): Promise<void> {
    for (const sink of this.#all()) sink.leave()
    if (this.#count > 0) await this.#empty(graceMs)
    for (const sink of this.#all()) sink.abandon()
  }

  async #empty(graceMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, graceMs)
    this.#emptied = resolve
    await promise
    clearTimeout(timer)
  }

  #follow(socket: Socket): LinkedList<OpenSink> {
    const sinks = new LinkedList<OpenSink>()
    this.#sockets.set(socket, sinks)
    socket.once('close', () => {
      for (const sink of sinks.items()) sink.lost()
      this.#sockets.delete(socket)
    })
    return sinks
  }

  #all(): OpenSink[] {
    return [...this.#sockets.values()].flatMap((sinks) => sinks.items())
  }
}
