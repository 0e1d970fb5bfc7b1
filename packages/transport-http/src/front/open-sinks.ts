import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Caught } from '@junctor/contracts'
import { LinkedList, type Place } from '@junctor/primitives'

/** An answer that is not finished, as its connection sees it. */
export interface OpenSink {
  /** The connection is gone. */
  lost(): void
  /** The server closes: ends it if that cuts nothing short. */
  leave(): void
  /** The server has waited long enough: ends it whatever that cuts short. */
  abandon(): void
}

/** How long what is sent last has to reach its reader when there is no time left for it, in milliseconds. */
export const lastWordsMs = 500

/** How often a front that closes looks whether it is done, in milliseconds. */
const lookMs = 10

/**
 * The answers that are not finished, by socket. A socket has one listener for all of its answers: one for each would
 * keep what is finished in memory for as long as the client keeps the connection, and costs more than the answer.
 */
export class OpenSinks {
  readonly #sockets = new Map<Socket, LinkedList<OpenSink>>()
  readonly #caught: Caught
  #count = 0

  /** @param caught told of an answer that throws when it is told; the others are told, too */
  constructor(caught: Caught) {
    this.#caught = caught
  }

  /** Makes a socket known, so that closing waits until what was written to it is sent. */
  know(socket: Socket): LinkedList<OpenSink> {
    const known = this.#sockets.get(socket)
    if (known !== undefined) return known
    const sinks = new LinkedList<OpenSink>()
    if (socket.destroyed) return sinks
    this.#sockets.set(socket, sinks)
    socket.once('close', () => {
      for (const sink of sinks.items()) this.#each(sink, 'lost')
      this.#sockets.delete(socket)
    })
    return sinks
  }

  /** Whether a request came on it before. */
  knows(socket: Socket): boolean {
    return this.#sockets.has(socket)
  }

  /** A sink on a socket that is gone already is told so at once. */
  add(socket: Socket, place: Place<OpenSink>): void {
    if (socket.destroyed) return place.item.lost()
    this.know(socket).append(place)
    this.#count += 1
  }

  /** The sink is finished. */
  delete(place: Place<OpenSink>): void {
    if (place.list?.remove(place) === true) this.#count -= 1
  }

  /** Whether a request of this socket waits for its answer, or for the rest of it. */
  has(socket: Socket): boolean {
    return this.#sockets.get(socket)?.first !== undefined
  }

  /**
   * Ends what may end, waits up to `graceMs` for the rest, ends that too, and waits until everything is sent. (Node
   * itself takes a connection whose answer is written but not sent for idle, and closes it.)
   */
  async drain(graceMs: number): Promise<void> {
    const end = performance.now() + graceMs
    for (const sink of this.#all()) this.#each(sink, 'leave')
    await until(() => this.#count === 0, end)
    for (const sink of this.#all()) this.#each(sink, 'abandon')
    const isSent = (): boolean => [...this.#sockets.keys()].every(({ writableLength }) => writableLength === 0)
    await until(isSent, Math.max(end, performance.now() + lastWordsMs))
  }

  #each(sink: OpenSink, what: keyof OpenSink): void {
    try {
      sink[what]()
    } catch (error) {
      this.#caught('connection', error)
    }
  }

  #all(): OpenSink[] {
    return [...this.#sockets.values()].flatMap((sinks) => sinks.items())
  }
}

/** Waits for a condition, at most until a time of `performance.now()`. */
async function until(condition: () => boolean, end: number): Promise<void> {
  while (!condition() && performance.now() < end) await setTimeout(lookMs)
}
