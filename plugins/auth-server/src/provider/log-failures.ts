import type { EventEmitter } from 'node:events'
import type { Log } from '@junctor/plugin-sdk'
import { createPacedWarning } from '@junctor/plugin-sdk/pages'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { notNow } from './not-now.ts'

/** What Koa reports: an error of its own, or of the connection of a client. The types of the library do not have it. */
type Report = (error: Error & { readonly expose?: boolean }, context?: Pick<KoaContextWithOIDC, 'req'>) => void

/** Logs failures of the library. Koa would print its own, and each connection that a client resets, to standard error. */
export function logFailures(provider: Provider, log: Log): void {
  const failedNow = createPacedWarning(log, 'the authorization server cannot answer now', 'requests')
  const failed = (error: unknown): void => {
    if (notNow(error) !== undefined) failedNow(String(error))
    else log.error('the authorization server has failed', { error })
  }
  provider.on('server_error', (_context, error) => failed(error))
  const report: Report = (error, context) => {
    const isOfClient = error.expose === true || context?.req.socket.errored === error
    if (!isOfClient) failed(error)
  }
  ;(provider as EventEmitter).on('error', report)
}
