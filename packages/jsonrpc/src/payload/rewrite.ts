import { hasUnsafeNumbers } from '../json/has-unsafe-numbers.ts'
import type { JsonValue } from '../json/json.ts'
import { payloadFromText, payloadOf, printPayload, type Payload } from './payload.ts'
import { parseKeepingNumbers } from '../json/raw-json.ts'

/**
 * Returns the payload after a change at any depth. `change` receives its own copy, which it may modify, and returns the
 * new value; the input is not changed. It parses and prints the whole payload: use `edit` for top-level members.
 *
 * Numbers that a double would change keep their text. `change` sees each as an opaque value, neither a number nor an
 * `isJsonObject`, that it can move, drop and print but not read; copying its members would destroy it.
 */
export function rewrite(payload: Payload, change: (value: JsonValue) => JsonValue): Payload {
  const text = printPayload(payload)
  if (!hasUnsafeNumbers(text)) return payloadOf(change(JSON.parse(text) as JsonValue))
  return payloadFromText(JSON.stringify(change(parseKeepingNumbers(text) as JsonValue)))
}
