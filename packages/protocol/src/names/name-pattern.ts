/**
 * The names of backends, tenants and nodes: 1 to 64 characters of a to z, 0 to 9 and `-`, not starting with `-`. Such a
 * name is safe in a path, in a header, in a message subject and before a separator.
 */
export const namePattern: RegExp = /^[a-z0-9][a-z0-9-]{0,63}$/

/** Whether a value can be the name of a backend, tenant or node. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && namePattern.test(value)
}
