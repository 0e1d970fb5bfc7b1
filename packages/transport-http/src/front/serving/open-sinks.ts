import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { ErrorReporter } from '@junctor/contracts'
import { LinkedList, type ListNode } from '@junctor/primitives'

/** An unfinished answer, as its connection sees it. */
export interface OpenSink {
  /** Called when the connection is gone. */
  lost(): void
  /** Called when the client has ended its side: it may still read, or be gone. */
  ended(): void
  /** Called when the server closes: ends the answer if that cuts nothing off. */
  leave(): void
  /** Called when the server has waited long enough: ends the answer even if that cuts it off. */
  abandon(): void
}

/** How long the last bytes have to reach their reader when the grace period is over, in milliseconds. */
export const finalFlushMs = 500

/** How often a closing front checks whether it is done, in milliseconds. */
const lookMs = 10

/**
 * The unfinished answers, by socket. All answers of a socket share one listener: one listener each would keep finished
 * answers in memory for as long as the connection lives, and costs more than the answer.
 */
export class OpenSinks {
  readonly #sockets = new Map<Socket, LinkedList<OpenSink>>()
  readonly #reportError: ErrorReporter
  #count = 0

  /** @param reportError called when an answer throws on its notification; the other answers are notified anyway */
  constructor(reportError: ErrorReporter) {
    this.#reportError = reportError
  }

  /** Registers a socket, so that closing waits until the bytes that were written to it are sent. */
  know(socket: Socket): LinkedList<OpenSink> {
    const known = this.#sockets.get(socket)
    if (known !== undefined) return known
    const sinks = new LinkedList<OpenSink>()
    if (socket.destroyed) return sinks
    this.#sockets.set(socket, sinks)
    socket.once('end', () => {
      for (const sink of sinks.items()) this.#each(sink, 'ended')
    })
    socket.once('close', () => {
      for (const sink of sinks.items()) this.#each(sink, 'lost')
      this.#sockets.delete(socket)
    })
    return sinks
  }

  /** Whether an earlier request came on the socket. */
  knows(socket: Socket): boolean {
    return this.#sockets.has(socket)
  }

  /** Adds an answer. If its socket is already gone, or its client has ended its side, the answer is notified immediately. */
  add(socket: Socket, place: ListNode<OpenSink>): void {
    if (socket.destroyed) return place.item.lost()
    this.know(socket).append(place)
    this.#count += 1
    if (socket.readableEnded) this.#each(place.item, 'ended')
  }

  /** Removes a finished answer. */
  delete(place: ListNode<OpenSink>): void {
    if (place.list?.remove(place) === true) this.#count -= 1
  }

  /** Whether a request on this socket waits for its answer, or for the rest of it. */
  has(socket: Socket): boolean {
    return this.#sockets.get(socket)?.first !== undefined
  }

  /** Ends the answers that may end at once: endless streams, whose clients come back elsewhere. */
  leave(): void {
    for (const sink of this.#all()) this.#each(sink, 'leave')
  }

  /**
   * Ends the answers that may end, waits up to `graceMs` for the others, ends those too, and waits until every byte is
   * sent. (Node itself treats a connection whose answer is written but not sent as idle, and closes it.)
   */
  async drain(graceMs: number): Promise<void> {
    const end = performance.now() + graceMs
    this.leave()
    await until(() => this.#count === 0, end)
    for (const sink of this.#all()) this.#each(sink, 'abandon')
    const isSent = (): boolean => [...this.#sockets.keys()].every(({ writableLength }) => writableLength === 0)
    await until(isSent, Math.max(end, performance.now() + finalFlushMs))
  }

  #each(sink: OpenSink, what: keyof OpenSink): void {
    try {
      sink[what]()
    } catch (error) {
      this.#reportError('connection', error)
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
