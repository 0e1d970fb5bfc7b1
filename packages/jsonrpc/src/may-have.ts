import { knownValue, type Payload } from './payload.ts'

/**
 * Whether any object in a payload may have a member of this name. Costs no parsing: of a text that was not parsed yet it
 * is true when the name stands in it as a string, or could, written with escapes.
 */
export function mayHave(payload: Payload, name: string): boolean {
  const { text } = payload
  if (text === undefined || knownValue(payload) !== undefined) return true
  return text.includes(`"${name}"`) || text.includes('\\u')
}
