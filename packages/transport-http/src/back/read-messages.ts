import { invalidResponse } from '@junctor/protocol'
import { answeredBy, decodeUtf8, entriesOf, type Message, parseFrame } from '@junctor/jsonrpc'

/** Receives what a server does against the protocol, such as input that is not a message. */
export interface ReadingReport {
  /** The name of the server's backend. Undefined: it has none. */
  readonly backend: string | undefined
  report(message: string, fields: Readonly<Record<string, unknown>>): void
}

/**
 * The messages in a body or event: one, or those of a batch (2025-03-26). Unreadable input is reported and left out,
 * but a malformed response to an own request becomes an error response, so that its caller does not wait forever.
 */
export function readMessages(input: Uint8Array | string, reading: ReadingReport): readonly Message[] {
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  if (text === undefined) {
    reading.report('a server sent bytes that are not UTF-8', {})
    return []
  }
  return entriesOf(parseFrame(text)).flatMap((entry) => {
    if (entry.kind !== 'unreadable') return [entry]
    reading.report('a server sent input that is not a message', { problem: entry.message })
    const own = answeredBy(entry, text)
    return own === undefined ? [] : [invalidResponse(own, entry.message, reading.backend)]
  })
}
