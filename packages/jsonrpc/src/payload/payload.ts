import type { JsonValue } from '../json/json.ts'

/**
 * A piece of JSON that Junctor relays without interpreting it: params, result, error.data, an item of a list.
 *
 * It knows its value, its text, or both, and derives the other one on demand. The text is kept when it is large or has
 * numbers that a double would change, so that the relayed content equals the received content.
 */
export interface Payload {
  /**
   * The JSON text, when it is known without printing. It has no newline, so it may be sent on a line-framed transport.
   */
  readonly text: string | undefined
  /**
   * Returns the parsed value. Only read it, never send it on: its numbers may have lost precision. Treat it as frozen.
   */
  value(): unknown
}

/** The only implementation: one object shape keeps property reads on the hot path fast. At least one field is known. */
class KnownPayload implements Payload {
  text: string | undefined
  /**
   * The value if it was already parsed. JSON has no undefined, so undefined means that it was not parsed. Null is a
   * value.
   */
  known: JsonValue | undefined

  constructor(value: JsonValue | undefined, text: string | undefined) {
    this.text = text
    this.known = value
  }

  value(): JsonValue {
    if (this.known === undefined) this.known = JSON.parse(this.text as string) as JsonValue
    return this.known
  }
}

/** Creates the payload of a value that this program created or parsed. The value must not be changed afterwards. */
export function payloadOf(value: JsonValue): Payload {
  return new KnownPayload(value, undefined)
}

/**
 * Creates the payload of a text that is known to be valid JSON in one line. The value is parsed when it is first read.
 */
export function payloadFromText(text: string): Payload {
  return new KnownPayload(undefined, text)
}

/** Creates the payload of a value together with the text that it was parsed from, which is used for printing. */
export function payloadOfParsed(value: JsonValue, text: string | undefined): Payload {
  return new KnownPayload(value, text)
}

/** Returns the JSON text in one line. Each payload is printed at most once. */
export function printPayload(payload: Payload): string {
  if (payload.text !== undefined) return payload.text
  const text = JSON.stringify(payload.value())
  if (payload instanceof KnownPayload) payload.text = text
  return text
}

/** Returns the value of a payload, or undefined if it would have to be parsed first. */
export function knownValue(payload: Payload): JsonValue | undefined {
  return payload instanceof KnownPayload ? payload.known : undefined
}

/** Whether something is a payload and not a JSON value: no JSON value contains a function. */
export function isPayload(candidate: Payload | JsonValue): candidate is Payload {
  return (
    typeof candidate === 'object' && candidate !== null && 'value' in candidate && typeof candidate.value === 'function'
  )
}
