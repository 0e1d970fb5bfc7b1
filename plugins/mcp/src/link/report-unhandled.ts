import type { Exchange } from '@junctor/plugin-sdk/link'
import type { LinkOptions } from './link-options.ts'

/**
 * Reports that handling a message of a server has thrown. Transports and streams pass messages on outside any caller, so
 * links catch such errors.
 *
 * @param cause the call that the message belongs to, where that is known
 */
export function reportUnhandled(
  { backend, log, emit }: Pick<LinkOptions, 'backend' | 'log' | 'emit'>,
  error: unknown,
  cause?: Exchange,
): void {
  log.error('a message of a backend could not be handled; other messages are not affected', {
    error,
    ...(cause !== undefined && { exchange: cause.id }),
  })
  emit({ kind: 'plugin_failed', backend })
}
