import { knownValue, type Payload } from './payload.ts'

/**
 * Whether any object in a payload may have a member with this name. It never parses: for a text that was not parsed
 * yet, it returns true when the name occurs in it as a string, or could occur with escapes.
 */
export function mayHave(payload: Payload, name: string): boolean {
  const { text } = payload
  if (text === undefined || knownValue(payload) !== undefined) return true
  return text.includes(`"${name}"`) || text.includes('\\u')
}
