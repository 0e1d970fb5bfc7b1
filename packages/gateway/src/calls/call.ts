import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { BackendEntry } from '../backend-entry.ts'
import type { HomeSession } from '../sessions/home-session.ts'

/** One request at the node where its session is at home, and what is told of it when it has ended. */
export class Call {
  readonly session: HomeSession
  /** Its method is the one meant: aliases of the tenant's profile are resolved. */
  readonly request: Request
  readonly exchange: Exchange
  /** The backend that it went to. */
  entry: BackendEntry | undefined = undefined
  /** The tool that it calls, under its public name. */
  tool: string | undefined = undefined
  /** How long the backend took, waiting for its link included. */
  backendMs = 0

  constructor(session: HomeSession, request: Request, exchange: Exchange) {
    this.session = session
    this.request = request
    this.exchange = exchange
  }
}
