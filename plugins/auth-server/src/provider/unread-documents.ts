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

function answerUnread(context: KoaContextWithOIDC, { cause }: errors.OIDCProviderError): void {
  if (!(cause instanceof UnreadDocument)) return
  const text = 'the document of the client cannot be read now'
  context.status = 503
  context.set('retry-after', '5')
  context.body = { error: 'temporarily_unavailable', error_description: text }
}
