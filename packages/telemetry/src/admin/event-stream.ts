import type { ServerResponse } from 'node:http'
import type { Closer } from '@junctor/exchange'
import { mediaTypes } from '@junctor/protocol'
import type { GatewayEvent } from '../events/event.ts'

/** What a follower may leave unread before it is let go, in bytes. */
const mostUnread = 1024 * 1024
/** A peer that is gone without a word is noticed after about this, in milliseconds. */
const probeMs = 30_000

/** Writes events to a response, one a line. A reader that is too slow is cut off: it can ask for what it missed. */
export class EventStream {
  readonly #response: ServerResponse
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

  write(event: GatewayEvent): void {
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    response.write(`${JSON.stringify(event)}\n`)
    if (response.writableLength > mostUnread) response.destroy()
  }

  /** Ends the stream after what is written. */
  end(): void {
    void this.following?.close()
    this.#response.end()
  }
}
