import type { ServerResponse } from 'node:http'
import type { Closer } from '@junctor/contracts'
import { mediaTypes } from '@junctor/protocol'
import type { GatewayEvent } from '../events/event.ts'

/** What a follower may leave unread of what happens while it follows before it is let go, in bytes. */
const mostUnread = 1024 * 1024
/** A peer that is gone without a word is noticed after about this, in milliseconds. */
const probeMs = 30_000

/** Writes events to a response, one a line. A reader that is too slow is cut off: it can ask for what it missed. */
export class EventStream {
  readonly #response: ServerResponse
  #mostUnread = mostUnread
  /** Ends the following. */
  following: Closer | undefined

  /** @param onClose called once, when the reader is gone or was cut off */
  constructor(response: ServerResponse, onClose: () => void) {
    this.#response = response
    response.socket?.setKeepAlive(true, probeMs)
    response.once('close', () => {
      void this.following?.close()
      onClose()
    })
    response.writeHead(200, { 'content-type': mediaTypes.ndjson, 'cache-control': 'no-store' })
    response.flushHeaders()
  }

  /** Writes what happened before. It comes at once, so that no reader, however fast, could have read it meanwhile. */
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

  /** Ends the stream after what is written. */
  end(): void {
    void this.following?.close()
    this.#response.end()
  }
}

function line(event: GatewayEvent): string {
  return `${JSON.stringify(event)}\n`
}
