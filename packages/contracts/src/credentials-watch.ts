import type { Head } from './head.ts'

/** A stream or connection that ends when its credentials are withdrawn. */
export interface CredentialsListener {
  /**
   * Called once: the credentials are no longer good, although they have not expired. They were revoked, or the configuration
   * does not have them any more, or their caller may not use the tenant any more.
   */
  withdrawn(): void
}

/**
 * Watches the credentials of a stream or connection that stays open.
 *
 * @returns ends the watch; idempotent
 */
export type WatchCredentials = (head: Head, listener: CredentialsListener) => () => void
