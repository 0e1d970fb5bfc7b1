import type { Server } from 'node:http'
import {
  type AdmissionOptions,
  createAdmission,
  createTrustedProxies,
  type SdkTransport,
  type TrustedProxiesOptions,
} from '@junctor/connection'
import { createErrorReporter, type Front, type Log, silentLog, emitNothing } from '@junctor/contracts'
import { printError } from '@junctor/jsonrpc'
import { defaultTenant, mcpProfile, wireError } from '@junctor/protocol'
import { createUpgrades } from '../front/upgrades.ts'
import { defaultFrontLimits, type WebSocketLimits } from '../options.ts'
import { createSdkTransport } from './create-sdk-transport.ts'

/** How a server of the official SDK is served over WebSocket. */
export interface SdkServingOptions extends AdmissionOptions, TrustedProxiesOptions {
  /** An HTTP or HTTPS server, listening or not. */
  readonly server: Server
  /**
   * Called for each admitted client, with a transport for a new server: `(transport) =>
   * createMyMcpServer().connect(transport)`. When it rejects, the error is logged and the connection closed.
   */
  connect(transport: SdkTransport): Promise<void>
  /** Authenticates callers, after the checks of `Host` and `Origin`. Default: every caller is admitted. */
  readonly authenticate?: Front['authenticate']
  /** The limits that differ from the defaults of the front. */
  readonly limits?: Partial<WebSocketLimits>
  /** Default: nothing is logged. */
  readonly log?: Log
}

/** A running server of SDK servers. */
export interface SdkServing {
  /** Accepts no new connection, and ends every connection. */
  close(): Promise<void>
}

const principal = { issuer: 'local', subject: 'anyone', key: 'local|anyone' }
const everyone: Front['authenticate'] = ({ tenant = defaultTenant }) => ({
  kind: 'identity',
  principal,
  tenant: { name: tenant, profile: mcpProfile },
})

/** Serves servers made with an official SDK over WebSockets at `/mcp` of an HTTP server, with Junctor's admission. */
export function serveSdk(options: SdkServingOptions): SdkServing {
  const { server, authenticate = everyone, log = silentLog } = options
  const limits = { ...defaultFrontLimits, ...options.limits }
  const open = new Set<SdkTransport>()
  const upgrades = createUpgrades({
    server,
    admission: createAdmission(options),
    proxies: createTrustedProxies(options.trustedProxies),
    front: { authenticate, refuse, reportError: createErrorReporter(log, emitNothing) },
    limits,
    log,
    hasRoom: () => true,
    // SDK servers have no principals to share a limit between.
    enter: () => () => {},
    accept(connection) {
      const transport = createSdkTransport(() => Promise.resolve(connection), limits)
      open.add(transport)
      // Messages wait until the transport is started and a reader is attached.
      connection.socket.pause()
      connection.socket.on('error', () => {})
      connection.socket.once('close', () => open.delete(transport))
      options.connect(transport).catch((error: unknown) => {
        log.error('a server could not be connected', { error })
        connection.socket.terminate()
      })
    },
  })
  return {
    async close() {
      upgrades.refuse()
      await Promise.all([...open].map((transport) => transport.close()))
      upgrades.detach()
    },
  }
}

const refuse: Front['refuse'] = (situation, _from, message) => {
  const view = { revision: undefined, dialect: '2.0', profile: mcpProfile } as const
  const error = wireError(situation, view, message === undefined ? {} : { message })
  return { status: error.status ?? 500, text: printError(undefined, error, true) }
}
