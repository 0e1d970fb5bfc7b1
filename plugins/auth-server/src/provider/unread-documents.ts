import type { EventEmitter } from 'node:events'
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'

/** A document of a client could not be read now. It says nothing about the client. */
export class UnreadDocument extends Error {
  override readonly name = 'UnreadDocument'
}

/**
 * Tells clients whose document could not be read that they may try again. The library tells them that it does not know the
 * client, and clients then forget their tokens.
 */
export function reportUnreadDocuments(provider: Provider): void {
  for (const event of ['grant.error', 'revocation.error']) (provider as EventEmitter).on(event, answerUnread)
}

/** Whether a failure says only that a document of a client could not be read now. */
export function isUnread(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // The library wraps the failure to read the keys of a client twice.
  return error.cause instanceof UnreadDocument || isUnread(error.cause)
}

/** The message to people and clients, and after how many seconds they may try again. */
export const unread = { text: 'The description of the program cannot be read now.', retryAfter: '5' } as const

function answerUnread(context: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  if (!isUnread(error)) return
  const text = 'the document of the client cannot be read now'
  context.status = 503
  context.set('retry-after', unread.retryAfter)
  context.body = { error: 'temporarily_unavailable', error_description: text }
}
