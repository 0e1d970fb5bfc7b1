/**
 * Returns the kind of a JSON value for error messages: `nothing`, `null`, `an array`, `a string`. Never the value
 * itself.
 */
export function describeJson(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
