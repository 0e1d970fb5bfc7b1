import { hasUnsafeNumbers } from './has-unsafe-numbers.ts'
import type { JsonValue } from './json.ts'
import { payloadFromText, payloadOf, printPayload, type Payload } from './payload.ts'
import { parseKeepingNumbers } from './raw-json.ts'

/**
 * The payload after a change at any depth. `change` gets a copy that is its own, which it may write to, and returns what
 * becomes of it; the input is not changed. Costs a parse and a print of the whole: use `edit` for members at the top.
 *
 * Numbers that a double would change come through as they were written. `change` sees each as an opaque value, neither
 * a number nor an `isJsonObject`, that it can move, drop and print but not read; copying its members would destroy it.
 */
export function rewrite(payload: Payload, change: (value: JsonValue) => JsonValue): Payload {
  const text = printPayload(payload)
  if (!hasUnsafeNumbers(text)) return payloadOf(change(JSON.parse(text) as JsonValue))
  return payloadFromText(JSON.stringify(change(parseKeepingNumbers(text) as JsonValue)))
}
