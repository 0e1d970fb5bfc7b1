import type { ServerResponse } from 'node:http'
import type { Closer } from '@junctor/contracts'
import { mediaTypes } from '@junctor/protocol'
import type { GatewayEvent } from '../events/event.ts'

/** How much a follower may leave unread of new events before it is disconnected, in bytes. */
const mostUnread = 1024 * 1024
/** How long it takes to detect a peer that disappeared silently, in milliseconds. */
const probeMs = 30_000

/**
 * Writes events to a response, one per line. A reader that is too slow is disconnected; it can query what it missed.
 */
export class EventStream {
  readonly #response: ServerResponse
  readonly #following: Closer
  #mostUnread = mostUnread

  /**
   * @param following is closed when the reader is gone
   * @param onClose called once, when the reader is gone or was disconnected
   */
  constructor(response: ServerResponse, following: Closer, onClose: () => void) {
    this.#response = response
    this.#following = following
    response.socket?.setKeepAlive(true, probeMs)
    response.once('close', () => {
      void following.close()
      onClose()
    })
    response.writeHead(200, { 'content-type': mediaTypes.ndjson, 'cache-control': 'no-store' })
    response.flushHeaders()
  }

  /**
   * Writes past events. They do not count towards the limit of unread data, because no reader could have read them
   * before.
   */
  writeOld(events: readonly GatewayEvent[]): void {
    for (const event of events) this.#response.write(line(event))
    this.#mostUnread += this.#response.writableLength
  }

  write(event: GatewayEvent): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    response.write(line(event))
    if (response.writableLength > this.#mostUnread) response.destroy()
  }

  /** Ends the stream after the written events. */
  end(): void {
    void this.#following.close()
    this.#response.end()
  }
}

function line(event: GatewayEvent): string {
  return `${JSON.stringify(event)}\n`
}
