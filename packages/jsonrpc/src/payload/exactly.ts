import { hasUnsafeNumbers } from '../json/has-unsafe-numbers.ts'
import { parseExactly } from '../json/raw-json.ts'
import type { Payload } from './payload.ts'

/** The value of a payload, with a raw number in the place of each that JavaScript would change. */
export function exactly(payload: Payload): unknown {
  const { text } = payload
  // Only a payload that has kept its text can have such numbers.
  return text === undefined || !hasUnsafeNumbers(text) ? payload.value() : parseExactly(text)
}
