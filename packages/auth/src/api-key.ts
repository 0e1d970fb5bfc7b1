import { hash } from 'node:crypto'

/**
 * A static key, as the configuration holds it: never the key itself. A key is sent as a bearer token, so it is made of
 * letters, digits and `-._~+/`.
 */
export interface ApiKey {
  /** Who the caller is. Two keys of one name are one principal, so that a key can be replaced without a gap. */
  readonly name: string
  /** `sha256:` and 64 hex digits, as `hashApiKey` gives them. */
  readonly hash: string
  /** Tenants that the key may use. Default: `default` alone. */
  readonly tenants?: readonly string[]
}

const HASH = /^sha256:[0-9a-f]{64}$/

/**
 * The hash under which a key is kept. A plain SHA-256 is enough because keys are random: there is no dictionary to try
 * (which is also why a key must not be a password that somebody made up).
 */
export function hashApiKey(key: string): string {
  return `sha256:${hash('sha256', key, 'hex')}`
}

/** Whether a text is a hash as `hashApiKey` gives it. */
export function isApiKeyHash(text: string): boolean {
  return HASH.test(text)
}
