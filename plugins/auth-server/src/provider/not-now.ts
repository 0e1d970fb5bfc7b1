import type { EventEmitter } from 'node:events'
import { isUnstored } from '@junctor/plugin-sdk/pages'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { KeysUnread } from '../assertions/verify-assertion.ts'

/**
 * What a client reads when only something that this server needs does not answer now: the storage of the nodes, or the issuer of
 * an assertion. Undefined: the error is another one.
 */
export function notNow(error: unknown): string | undefined {
  if (isUnstored(error)) return 'the server cannot reach its storage now'
  return error instanceof KeysUnread ? 'the keys of the issuer of the assertion cannot be read now' : undefined
}

/**
 * Tells people and clients that they may try again when what this server needs does not answer. The library calls it a fault of
 * the server, and clients then begin a new login.
 */
export function reportNotNow(provider: Provider): void {
  ;(provider as EventEmitter).on('server_error', answerNotNow)
}

function answerNotNow(context: KoaContextWithOIDC, error: unknown): void {
  const text = notNow(error)
  if (text === undefined) return
  context.status = 503
  context.set('retry-after', '5')
  // A text is the page for a person (`renderError`).
  if (typeof context.body === 'string') return
  context.body = { error: 'temporarily_unavailable', error_description: text }
}
