import type { EventEmitter } from 'node:events'
import { JunctorError } from '@junctor/plugin-sdk/link'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'

/** Whether an error says only that the storage of the nodes does not answer, or keeps nothing now. */
export function isNoStorage(error: unknown): boolean {
  return error instanceof JunctorError && (error.code === 'FABRIC_UNAVAILABLE' || error.code === 'FABRIC_REFUSED')
}

/**
 * Tells people and clients that they may try again when the storage does not answer. The library calls it a fault of the
 * server, and clients then begin a new login.
 */
export function reportNoStorage(provider: Provider): void {
  ;(provider as EventEmitter).on('server_error', answerNoStorage)
}

function answerNoStorage(context: KoaContextWithOIDC, error: unknown): void {
  if (!isNoStorage(error)) return
  context.status = 503
  context.set('retry-after', '5')
  // A text is the page for a person (`renderError`).
  if (typeof context.body === 'string') return
  context.body = { error: 'temporarily_unavailable', error_description: 'the server cannot reach its storage now' }
}
