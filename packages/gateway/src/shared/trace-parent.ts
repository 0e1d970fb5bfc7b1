import { randomFillSync } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { metaKeys } from '@junctor/protocol'

/** `00-<trace id>-<parent id>-<flags>`; neither id is all zeros (W3C Trace Context, section 3.2). */
const traceparentForm = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Bytes of the two ids of one `traceparent`. */
const idBytes = 24

/** Characters of one `traceparent`. */
const traceLength = 55

/**
 * `traceparent` values are made for this many requests in one step: for one alone they would cost more than the rest of
 * this file.
 */
const batch = 256

/** Returns a function that starts a trace: each call returns a new `traceparent`. */
export function createTraces(): () => string {
  const bytes = Buffer.allocUnsafe(idBytes * batch)
  let traces = ''
  let at = 0
  return () => {
    if (at === traces.length) {
      // Flags 00: not sampled, because no component records spans of this trace yet.
      traces = randomFillSync(bytes)
        .toString('hex')
        .replaceAll(/(.{32})(.{16})/g, '00-$1-$2-00')
      at = 0
    }
    const start = at
    at += traceLength
    return traces.slice(start, at)
  }
}

/**
 * The trace that a request belongs to: the one that its `_meta` names (SEP-414), else a new one. A `traceparent` that
 * is not valid is ignored.
 */
export function traceparentOf(meta: JsonObject | undefined, start: () => string): string {
  const named = meta?.[metaKeys.traceparent]
  return typeof named === 'string' && traceparentForm.test(named) ? named : start()
}

/** The trace id of a `traceparent` that was validated or created here. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35)
}
