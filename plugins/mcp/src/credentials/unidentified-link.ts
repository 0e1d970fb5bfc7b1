import type { Link } from '@junctor/plugin-sdk/link'
import { failedCall } from '../link/errors.ts'
import { unconnectedServer } from './unconnected-server.ts'

/** The principal of callers without credentials: they are not one person. */
export const anonymous: string = JSON.stringify(['anonymous', 'anonymous'])

/** A link for callers without an identity of their own: it offers nothing. */
export async function openUnidentifiedLink(backend: string): Promise<Link> {
  const closed = Promise.withResolvers<undefined>()
  const message = 'The backend acts for its callers: send credentials that say who you are'
  return {
    server: unconnectedServer(backend),
    list: () => Promise.resolve([]),
    call: (request, exchange) => failedCall(request, exchange, 'forbidden', { backend, message }),
    notify: () => undefined,
    closed: closed.promise,
    async close() {
      closed.resolve(undefined)
    },
  }
}
