import { isJsonObject } from '../json/json.ts'
import { knownValue, type Payload } from './payload.ts'

const objectStart = /^\s*\{/

/** Whether a payload is an object. A text that was not parsed yet is not parsed: its first character tells. */
export function holdsObject(payload: Payload): boolean {
  const { text } = payload
  const known = knownValue(payload)
  return known === undefined && text !== undefined ? objectStart.test(text) : isJsonObject(payload.value())
}
