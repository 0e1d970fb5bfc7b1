import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'

/** `00-<trace id>-<parent id>-<flags>`, none of the ids all zeros (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Bytes of the two ids of one `traceparent`. */
const idBytes = 24
/** Random bytes are asked for by so many requests at a time: one by one they would cost more than all else here. */
const batch = 256

/** Starts traces. */
export function createTraces(): () => string {
  let bytes = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at + idBytes > bytes.length) {
      bytes = randomBytes(idBytes * batch)
      at = 0
    }
    const ids = bytes.toString('hex', at, at + idBytes)
    at += idBytes
    // Flags 00: nobody records spans of it as yet.
    return `00-${ids.slice(0, 32)}-${ids.slice(32)}-00`
  }
}

/**
 * The trace that a request belongs to: the one that its `_meta` names (SEP-414), else a new one. Whatever else stands
 * there is the client's own business, and starts a new trace.
 */
export function traceparentOf(meta: JsonObject | undefined, start: () => string): string {
  const named = meta?.[metaKeys.traceparent]
  return typeof named === 'string' && TRACEPARENT.test(named) ? named : start()
}

/** The trace id in a `traceparent` that has been checked or made here. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35)
}
