import type { Outcome } from '@junctor/exchange'
import { isJsonObject, type JsonObject } from '@junctor/jsonrpc'
import type { Call } from './call.ts'
import { failed } from './failed.ts'

/**
 * The error for a request whose client did not declare a capability that it needs (2026-07-28, `-32021`). The message names
 * the capabilities too: some clients show people nothing else.
 */
export function capabilityMissing(call: Call, requiredCapabilities: JsonObject): Outcome {
  const name = namesOf(requiredCapabilities).join(', ')
  return failed(call, 'capability_missing', { name, data: { requiredCapabilities } })
}

/** `sampling`, `elicitation.url`, and extensions by their own names. */
function namesOf(capabilities: JsonObject): readonly string[] {
  return Object.entries(capabilities).flatMap(([name, value]) => {
    const parts = isJsonObject(value) ? Object.keys(value) : []
    if (name === 'extensions') return parts
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`)
  })
}
