import { isJsonObject, memberOf } from '@junctor/jsonrpc'

/** The start of the message for a handler that returned an invalid answer. `assertWellBehaved` recognizes it. */
export const invalidAnswerPrefix = 'Expected the handler of '

/** The start of the message for an answer that its schema refuses. `assertWellBehaved` recognizes it. */
export const unmatchedAnswerPrefix = 'The answer of the tool does not match its outputSchema'

/** The error for a handler that returned a value that is not a valid answer. */
export function invalidAnswer(owner: string, expected: string, got: unknown): Error {
  return new Error(`${invalidAnswerPrefix}${owner} to answer with ${expected}, got ${kindOf(got)}`)
}

/**
 * Checks that a definition has its function, so that a missing one is found now and not at the first call.
 *
 * @throws Error when the member is not a function
 */
export function assertFunction(owner: string, definition: object, member: string): void {
  const given = (definition as Readonly<Record<string, unknown>>)[member]
  if (typeof given !== 'function')
    throw new Error(`expected ${owner} to have a function "${member}", got ${kindOf(given)}`)
}

/**
 * Checks that a definition has a name. Other SDKs take names elsewhere, and authors without types copy their form.
 *
 * @throws Error that shows the form to write
 */
export function assertName(form: string, definition: unknown): void {
  const name: unknown = memberOf(definition, 'name')
  if (typeof name !== 'string' || name === '') throw new Error(`expected ${form}, got ${kindOf(definition)}`)
}

/** A value described in a word or two: the value itself may be large, or secret. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'object') {
    if (!isPlain(value)) return `an instance of ${classOf(value)}`
    return isJsonObject(value)
      ? `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no members'}`
      : 'an object'
  }
  return `a ${typeof value}`
}

function classOf(value: object): string {
  const made = value.constructor as { readonly name?: unknown } | undefined
  return typeof made?.name === 'string' && made.name !== '' ? made.name : 'a class'
}

/** Whether an object has no class: a Map, a Buffer or a Date would be an object without members in JSON, or of numbers. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
