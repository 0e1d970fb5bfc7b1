import { hash } from 'node:crypto'

/**
 * A static key in the configuration, which holds only its hash. Clients send the key as a bearer token, so it consists
 * of letters, digits and `-._~+/`.
 */
export interface ApiKey {
  /**
   * The name of the caller. Two keys with one name are one principal, so that a key can be replaced without an
   * interruption.
   */
  readonly name: string
  /** `sha256:` and 64 hex digits, as `hashApiKey` returns them. */
  readonly hash: string
  /** Tenants that the key may use. Default: only `default`. */
  readonly tenants?: readonly string[]
}

const hashForm = /^sha256:[0-9a-f]{64}$/

/**
 * Returns the hash under which a key is stored. A plain SHA-256 is enough because keys are random, so a dictionary
 * attack is not possible. For the same reason a key must not be a password chosen by a person.
 */
export function hashApiKey(key: string): string {
  return `sha256:${hash('sha256', key, 'hex')}`
}

/** Whether a text is a hash in the format of `hashApiKey`. */
export function isApiKeyHash(text: string): boolean {
  return hashForm.test(text)
}
