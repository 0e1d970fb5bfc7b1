import { isJsonObject } from '@junctor/jsonrpc'

/** What a message says in front of what a handler gave that is no answer. `assertWellBehaved` knows it by this. */
export const misusedHandler = 'Expected the handler of '

/** The error for a handler that gave something else than it may. */
export function notAnAnswer(whose: string, expected: string, got: unknown): Error {
  return new Error(`${misusedHandler}${whose} to answer with ${expected}, got ${kindOf(got)}`)
}

/**
 * Finds out at the definition what would be found out at the first call.
 *
 * @throws Error when it is no function
 */
export function assertFunction(whose: string, definition: object, member: string): void {
  const given = (definition as Readonly<Record<string, unknown>>)[member]
  if (typeof given !== 'function')
    throw new Error(`expected ${whose} to have a function "${member}", got ${kindOf(given)}`)
}

/** A value in a word or two: values may be large, or secret. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'object') {
    return isJsonObject(value)
      ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no members'}`
      : 'an object'
  }
  return `a ${typeof value}`
}
