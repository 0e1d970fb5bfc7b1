import { prefersNdjson } from './judge-headers.ts'
import { eventStream } from './event-stream.ts'
import type { Framing } from './framing.ts'
import { lineStream } from './line-stream.ts'

/** The framing that an `Accept` header asks for: events, unless lines have a higher weight. */
export function chooseFraming(accept: string | undefined): Framing {
  return prefersNdjson(accept) ? lineStream : eventStream
}
