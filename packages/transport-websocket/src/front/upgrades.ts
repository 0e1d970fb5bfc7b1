import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Admission, judgeTarget } from '@junctor/connection'
import type { Front, Identity, Log } from '@junctor/contracts'
import { printError } from '@junctor/jsonrpc'
import { headers, type Situation } from '@junctor/protocol'
import { WebSocketServer } from 'ws'
import type { Connection } from '../connection.ts'
import type { WebSocketLimits } from '../options.ts'
import { judgeSubprotocols, judgeVersion, type UpgradeFault } from './judge-upgrade.ts'
import { subprotocol } from '../subprotocol.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'
import { upgradePath } from './upgrade-path.ts'
import { WebSocketHead } from './web-socket-head.ts'

export interface UpgradesOptions {
  /** An HTTP or HTTPS server, listening or not. */
  readonly server: Server
  readonly admission: Admission
  readonly front: Pick<Front, 'authenticate' | 'refuse' | 'caught'>
  readonly limits: Pick<WebSocketLimits, 'body' | 'closeMs'>
  readonly log: Log
  /** Takes a place for a connection of a caller. Gives what gives it back; undefined: there is none. */
  enter(identity: Identity): (() => void) | undefined
  /** Takes a connection that was let in, and what gives its place back. */
  accept(connection: Connection, identity: Identity, leave: () => void): void
}

/** The requests of an HTTP server that want to become WebSockets. */
export interface Upgrades {
  /** From now on all are refused. */
  refuse(): void
  /** The server is as it was before. */
  detach(): void
}

/**
 * Judges them as HTTP requests are judged, before anything is upgraded: two hosts (400), `Host` and `Origin` (403), the
 * version (426), credentials (401, 403, 404), the subprotocol (400). Credentials are read from headers, never from the query. Requests for
 * another protocol or path are left to the server.
 */
export function createUpgrades(options: UpgradesOptions): Upgrades {
  return new ServerUpgrades(options)
}

const tooMany = 'This client, or its tenant, has as many connections open as it may have'

/** Node asks this of its server before it calls anything an upgrade; its types do not have it yet. */
interface UpgradeJudge {
  shouldUpgradeCallback: (this: Server, request: IncomingMessage) => boolean
}

class ServerUpgrades implements Upgrades {
  readonly #options: UpgradesOptions
  readonly #webSockets: WebSocketServer
  readonly #others: UpgradeJudge['shouldUpgradeCallback']
  #refusing = false

  constructor(options: UpgradesOptions) {
    const { server, limits } = options
    this.#options = options
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.body,
      closeTimeout: limits.closeMs,
      handleProtocols: (offered: Set<string>) => (offered.has(subprotocol) ? subprotocol : (false as const)),
    }
    this.#webSockets = new WebSocketServer(settings)
    this.#webSockets.on('wsClientError', ({ message }, wire) =>
      this.#turnAway(wire, { situation: 'invalid_request', message }),
    )
    const judge = server as Server & UpgradeJudge
    this.#others = judge.shouldUpgradeCallback
    judge.shouldUpgradeCallback = (request) =>
      isOurs(request) || (this.#hasOthers() && this.#others.call(server, request))
    server.on('upgrade', this.#take)
  }

  refuse(): void {
    this.#refusing = true
  }

  detach(): void {
    const { server } = this.#options
    const judge = server as Server & UpgradeJudge
    judge.shouldUpgradeCallback = this.#others
    server.off('upgrade', this.#take)
  }

  #hasOthers(): boolean {
    return this.#options.server.listenerCount('upgrade') > 1
  }

  readonly #take = (request: IncomingMessage, wire: Duplex, first: Buffer): void => {
    const path = upgradePath(request.url ?? '')
    if (path === undefined || !isOurs(request)) return
    // A client that is gone meanwhile shows when it is answered.
    wire.on('error', () => wire.destroy())
    try {
      const head = new WebSocketHead(request, path.tenant)
      const fault = this.#judge(head)
      if (fault === undefined) void this.#letIn(head, request, wire, first)
      else this.#turnAway(wire, fault)
    } catch (error) {
      this.#options.front.caught('connection', error, { transport: 'websocket' })
      wire.destroy()
    }
  }

  #judge(head: WebSocketHead): UpgradeFault | undefined {
    if (this.#refusing) return { situation: 'overloaded', message: 'The server is shutting down' }
    const target = judgeTarget(head.request)
    if (!target.ok) return target
    const verdict = this.#options.admission.admit(head.header(headers.host), head.header(headers.origin))
    return verdict.ok ? judgeVersion(head.header('sec-websocket-version')) : verdict
  }

  async #letIn(head: WebSocketHead, request: IncomingMessage, wire: Duplex, first: Buffer): Promise<void> {
    const { front, log } = this.#options
    try {
      const verdict = await front.authenticate(head)
      if (verdict.kind === 'challenge') {
        log.debug('A caller was not let in', { status: verdict.status })
        return refuseUpgrade(wire, verdict.status, printError(undefined, verdict.error, true), verdict.headers)
      }
      const fault = judgeSubprotocols(head.header('sec-websocket-protocol'))
      if (fault !== undefined) return this.#turnAway(wire, fault)
      if (this.#refusing)
        return this.#turnAway(wire, { situation: 'overloaded', message: 'The server is shutting down' })
      const leave = this.#options.enter(verdict)
      if (leave === undefined) return this.#turnAway(wire, { situation: 'overloaded', message: tooMany })
      // Also when it is gone before it has become one.
      wire.once('close', leave)
      this.#webSockets.handleUpgrade(request, wire, first, (socket) =>
        this.#options.accept({ socket, wire }, verdict, leave),
      )
    } catch (error) {
      front.caught('connection', error, { transport: 'websocket' })
      this.#turnAway(wire, { situation: 'internal_error', status: 500 })
    }
  }

  #turnAway(
    wire: Duplex,
    fault: { situation: Situation; message?: string } & Pick<UpgradeFault, 'status' | 'headers'>,
  ): void {
    const { front, log } = this.#options
    const { situation, message } = fault
    try {
      const refusal = front.refuse(situation, undefined, message)
      const status = fault.status ?? refusal.status
      log.debug('A request for a WebSocket was refused', { situation, status })
      refuseUpgrade(wire, status, refusal.text, fault.headers)
    } catch (error) {
      front.caught('connection', error, { transport: 'websocket' })
      wire.destroy()
    }
  }
}

function isOurs({ method, url = '', headers: sent }: IncomingMessage): boolean {
  return method === 'GET' && sent.upgrade?.toLowerCase() === 'websocket' && upgradePath(url) !== undefined
}
