import type { Exchange } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import type { HomeSession } from '../sessions/home-session.ts'

/** One request at the node where its session is at home. */
export interface Call {
  readonly session: HomeSession
  readonly request: Request
  readonly exchange: Exchange
}
