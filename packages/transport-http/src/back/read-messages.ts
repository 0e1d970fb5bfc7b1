import { mcpProfile, wireError } from '@junctor/protocol'
import { answeredBy, decodeUtf8, type Message, parseFrame, type Unreadable } from '@junctor/jsonrpc'

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
  const frame = parseFrame(text)
  if (frame.kind === 'message') return [frame.message]
  const entries = frame.kind === 'batch' ? frame.entries : [frame]
  return entries.flatMap((entry) => {
    if (entry.kind !== 'unreadable') return [entry]
    reading.report('a server sent input that is not a message', { problem: entry.message })
    return asResponse(entry, text, reading.backend)
  })
}

function asResponse(entry: Unreadable, text: string, backend: string | undefined): Message[] {
  const id = answeredBy(entry, text)
  if (id === undefined) return []
  const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const
  const details = {
    message: `The backend sent a malformed response: ${entry.message}`,
    ...(backend !== undefined && { backend }),
  }
  return [{ kind: 'error', dialect: '2.0', id, error: wireError('tool_failed', view, details) }]
}
