import type { Fabric, Log } from '@junctor/contracts'
import type { RequestId } from '@junctor/jsonrpc'
import { methods } from '@junctor/protocol'
import type { JobDesk } from '../../jobs/desk/job-desk.ts'
import { toSessionControl } from '../../sessions/session-control.ts'
import type { FrontSession } from '../../sessions/session/front-session.ts'

/** How a cancel reaches a job, and the other nodes when the request is not open at this one. */
export interface CancelParts {
  readonly fabric: Pick<Fabric, 'send'>
  readonly jobs: Pick<JobDesk, 'keyOfRequest' | 'cancel'>
  readonly log: Log
}

/** Cancels requests on behalf of their clients. */
export class Cancels {
  readonly #parts: CancelParts

  constructor(parts: CancelParts) {
    this.#parts = parts
  }

  /** Cancels a request of the session on any node. Ignores requests of other sessions, and finished ones. */
  anywhere(session: FrontSession, id: RequestId | undefined): void {
    if (id === undefined || this.here(session, id)) return
    // This is a hint that may be lost. The id may be larger than the messages that nodes can send each other.
    const control = toSessionControl({ kind: 'cancel', session: session.id, id })
    this.#parts.fabric.send('all', control).catch((error: unknown) => {
      this.#parts.log.warn('other nodes could not be notified', { kind: 'cancel', error })
    })
  }

  /**
   * Cancels a request of the session that is open on this node, or its job. Returns false when this node has neither. A node
   * may run jobs of sessions that no client has used there.
   */
  here(session: Pick<FrontSession, 'id' | 'inFlight'>, id: RequestId): boolean {
    const exchange = session.inFlight?.get(id)
    if (exchange === undefined) return this.#job(session.id, id)
    if (exchange.request.method === methods.initialize) return false
    exchange.end('cancelled')
    return true
  }

  #job(session: string, id: RequestId): boolean {
    const { jobs, log } = this.#parts
    const key = jobs.keyOfRequest(session, id)
    if (key === undefined) return false
    jobs.cancel(key).catch((error: unknown) => log.warn('a job could not be cancelled', { error }))
    return true
  }
}
