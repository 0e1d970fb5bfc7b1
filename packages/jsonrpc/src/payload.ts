import type { JsonValue } from './json.ts'

/**
 * A piece of JSON that Junctor relays without owning its meaning: params, result, error.data, an item of a list.
 *
 * It knows its value, its text, or both, and makes the other one on demand. The text is kept when it is large or holds
 * numbers that a double would change, so that what is relayed is what came.
 */
export interface Payload {
  /** The JSON text, when it is known without printing. Has no newline, so it may go into a line-framed transport. */
  readonly text: string | undefined
  /** The parsed value. Read it, never write it back: numbers may have lost precision. Treat it as frozen. */
  value(): unknown
}

/** The one implementation: one shape, so that property reads on the hot path stay fast. At least one field is known. */
class KnownPayload implements Payload {
  text: string | undefined
  #value: JsonValue | undefined

  constructor(value: JsonValue | undefined, text: string | undefined) {
    this.text = text
    this.#value = value
  }

  /** The value if it was parsed already. JSON has no undefined, so undefined means that it was not. Null is a value. */
  get known(): JsonValue | undefined {
    return this.#value
  }

  value(): JsonValue {
    if (this.#value === undefined) this.#value = JSON.parse(this.text as string) as JsonValue
    return this.#value
  }
}

/** The payload of a value that this program made or parsed. From here on the value is treated as frozen. */
export function payloadOf(value: JsonValue): Payload {
  return new KnownPayload(value, undefined)
}

/** The payload of a text that is known to be valid JSON in one line. The value is parsed when it is first read. */
export function payloadFromText(text: string): Payload {
  return new KnownPayload(undefined, text)
}

/** The payload of a value together with the text that it was parsed from, which is what will be printed. */
export function payloadOfParsed(value: JsonValue, text: string | undefined): Payload {
  return new KnownPayload(value, text)
}

/** The JSON text in one line. Printed at most once for each payload. */
export function printPayload(payload: Payload): string {
  if (payload.text !== undefined) return payload.text
  const text = JSON.stringify(payload.value())
  if (payload instanceof KnownPayload) payload.text = text
  return text
}

/** The value of a payload, unless it would have to be parsed first. */
export function knownValue(payload: Payload): JsonValue | undefined {
  return payload instanceof KnownPayload ? payload.known : undefined
}

/** Whether something is a payload and not a JSON value: no JSON value has a function in it. */
export function isPayload(candidate: Payload | JsonValue): candidate is Payload {
  return (
    typeof candidate === 'object' && candidate !== null && 'value' in candidate && typeof candidate.value === 'function'
  )
}
