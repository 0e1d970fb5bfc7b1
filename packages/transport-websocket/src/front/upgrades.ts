import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Admission, judgeTarget, type TrustedProxies } from '@junctor/connection'
import type { Front, Head, Identity, Log } from '@junctor/contracts'
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

/** The server whose upgrades are handled, what is checked, and what is done with an admitted client. */
export interface UpgradesOptions {
  /** An HTTP or HTTPS server, listening or not. */
  readonly server: Server
  readonly admission: Admission
  readonly proxies: TrustedProxies
  readonly front: Pick<Front, 'authenticate' | 'refuse' | 'reportError'>
  readonly limits: Pick<WebSocketLimits, 'body' | 'closeMs'>
  readonly log: Log
  /** Whether the server has room for this connection. */
  hasRoom(wire: Duplex): boolean
  /** Reserves a connection for a caller. Returns the function that releases it; undefined when the limit is reached. */
  enter(identity: Identity): (() => void) | undefined
  /** Called with an admitted connection, and the function that releases its reservation. */
  accept(admitted: Connection & { readonly head: Head; readonly identity: Identity }, leave: () => void): void
}

/** The upgrade requests of an HTTP server. */
export interface Upgrades {
  /** Refuses all requests from now on, and those whose credentials are being checked. */
  refuse(): void
  /** Removes all listeners from the server. */
  detach(): void
}

/**
 * Checks upgrade requests as HTTP requests are checked, before the upgrade: two hosts (400), `Host` and `Origin` (403),
 * the version (426), credentials (401, 403, 404), the subprotocol (400). Credentials are read from headers, never from
 * the query. The server keeps requests for another protocol or path.
 */
export function createUpgrades(options: UpgradesOptions): Upgrades {
  return new ServerUpgrades(options)
}

const closing: UpgradeFault = { situation: 'overloaded', message: 'The server is shutting down' }
const tooManyConnections = 'There are too many connections'
const tooMany = 'This client, or its tenant, has as many connections open as it may have'

/** Node calls this function of its server before it treats a request as an upgrade; its types do not declare it yet. */
interface UpgradeJudge {
  shouldUpgradeCallback: (this: Server, request: IncomingMessage) => boolean
}

class ServerUpgrades implements Upgrades {
  readonly #options: UpgradesOptions
  readonly #webSockets: WebSocketServer
  readonly #others: UpgradeJudge['shouldUpgradeCallback']
  /** The connections of clients whose credentials are being checked. */
  readonly #waiting = new Set<Duplex>()
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
    for (const wire of this.#waiting) this.#turnAway(wire, closing)
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
    // Writing the answer shows whether the client has disconnected meanwhile.
    wire.on('error', () => wire.destroy())
    try {
      const head = new WebSocketHead(request, path.tenant, this.#options.proxies)
      const fault = this.#judge(head, wire)
      if (fault === undefined) void this.#letIn(head, request, wire, first)
      else this.#turnAway(wire, fault)
    } catch (error) {
      this.#options.front.reportError('connection', error, { transport: 'websocket' })
      wire.destroy()
    }
  }

  #judge(head: WebSocketHead, wire: Duplex): UpgradeFault | undefined {
    if (this.#refusing) return closing
    if (!this.#options.hasRoom(wire)) return { situation: 'overloaded', message: tooManyConnections }
    const target = judgeTarget(head.request)
    if (!target.ok) return target
    const verdict = this.#options.admission.admit(head.header(headers.host), head.header(headers.origin))
    return verdict.ok ? judgeVersion(head.header('sec-websocket-version')) : verdict
  }

  async #letIn(head: WebSocketHead, request: IncomingMessage, wire: Duplex, first: Buffer): Promise<void> {
    const { front, log } = this.#options
    this.#waiting.add(wire)
    try {
      const verdict = await front.authenticate(head)
      // The client has left, or was refused because the server closes: no `close` would release its place.
      if (wire.destroyed || this.#refusing) return
      if (verdict.kind === 'challenge') {
        const { status, error, nullId = true } = verdict
        log.debug('a caller was not let in', { status })
        return refuseUpgrade(wire, status, printError(undefined, error, nullId), verdict.headers)
      }
      const fault = judgeSubprotocols(head.header('sec-websocket-protocol'))
      if (fault !== undefined) return this.#turnAway(wire, fault)
      const leave = this.#options.enter(verdict)
      if (leave === undefined) return this.#turnAway(wire, { situation: 'overloaded', message: tooMany })
      // Also when the connection closes before the upgrade is complete.
      wire.once('close', leave)
      this.#webSockets.handleUpgrade(request, wire, first, (socket) =>
        this.#options.accept({ socket, wire, head, identity: verdict }, leave),
      )
    } catch (error) {
      front.reportError('connection', error, { transport: 'websocket' })
      if (!this.#refusing) this.#turnAway(wire, { situation: 'internal_error', status: 500 })
    } finally {
      this.#waiting.delete(wire)
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
      log.debug('a request for a WebSocket was refused', { situation, status })
      refuseUpgrade(wire, status, refusal.text, fault.headers)
    } catch (error) {
      front.reportError('connection', error, { transport: 'websocket' })
      wire.destroy()
    }
  }
}

function isOurs({ method, url = '', headers: sent }: IncomingMessage): boolean {
  return method === 'GET' && sent.upgrade?.toLowerCase() === 'websocket' && upgradePath(url) !== undefined
}
