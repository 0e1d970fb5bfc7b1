import type { TelemetryEvent } from '@junctor/contracts'
import { redactAndCut } from '../log/redact-and-cut.ts'

/** The maximum length of an error message, in characters. */
const mostCharacters = 1000

/** Returns an event as it is stored: without secrets, and with a bounded message. Most events are unchanged. */
export function keptEventOf(event: TelemetryEvent): TelemetryEvent {
  if (event.kind !== 'link_failed') return event
  // A substring would keep the whole text in memory; a copy does not.
  const message = Buffer.from(redactAndCut(event.message, mostCharacters)).toString()
  return { ...event, message }
}
