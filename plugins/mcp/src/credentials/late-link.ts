import type { Link } from '@junctor/plugin-sdk/link'
import type { LateConnection } from './late-connection.ts'

/** What a link with a late connection does itself. */
export type LateCalls = Pick<Link, 'list' | 'call' | 'present'>

/** The link of a late connection, whose lists and calls are these. Everything else is that of the connection. */
export function lateLink(connection: LateConnection, calls: LateCalls): Link {
  return {
    get server() {
      return connection.server
    },
    get closed() {
      return connection.closed
    },
    list: (kind, signal) => calls.list(kind, signal),
    call: (request, exchange) => calls.call(request, exchange),
    ...(calls.present !== undefined && { present: (callerToken: string) => calls.present?.(callerToken) }),
    hints: (kind) => connection.hints(kind),
    listProblem: (kind) => connection.listProblem(kind),
    notify: (notification) => connection.notify(notification),
    close: () => connection.close(),
  }
}
