import type { Log } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { jetstreamManager } from '@nats-io/jetstream'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type NodeConnectionOptions,
  nkeyAuthenticator,
} from '@nats-io/transport-node'

/** How to reach NATS. Of the ways to authenticate at most one is given. */
export interface NatsOptions {
  /** Addresses such as `nats://nats:4222`; `tls://` asks for TLS. Others of the server's cluster are learned from it. */
  readonly servers: readonly string[]
  readonly user?: string
  readonly password?: string
  readonly token?: string
  /** The seed of an nkey, `SU...`. */
  readonly nkeySeed?: string
  /** The text of a credentials file. */
  readonly credentials?: string
  /** PEM texts; default: the system's authorities, and TLS only where an address or the server asks for it. */
  readonly tls?: NatsTls
  /** Shown by the server's monitoring. Default: `junctor`. */
  readonly name?: string
}

export interface NatsTls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

/** The oldest server whose consumers the client can use. */
const minVersion = [2, 9, 4] as const

/** For a connection to be made and shaken hands on, in milliseconds. */
const connectMs = 3_000

/** For the servers to say whether they have JetStream, in milliseconds. */
const jetStreamMs = 5_000

/** Between two attempts to come back, in milliseconds; the jitter keeps nodes from coming back all at once. */
const reconnectMs = 250
const reconnectJitterMs = 750

/** A server that is silent for this long, in milliseconds, three times, is given up for another. */
const pingMs = 2_000

/**
 * Connects, checks what the server can do, and from then on comes back for ever when the connection is lost. What is
 * published in between is lost.
 *
 * @throws JunctorError `CONFIG_INVALID` for credentials that are none, `BACKEND_UNREACHABLE`, also for servers that are silent, or `BACKEND_REFUSED` for wrong credentials, a server older than 2.9.4, or
 *   one without JetStream
 */
export async function connectNats(options: NatsOptions, log: Log): Promise<NatsConnection> {
  const connection = await open(options)
  try {
    checkVersion(connection)
    await checkJetStream(connection, options)
  } catch (error) {
    await connection.close()
    throw error
  }
  void logChanges(connection, log)
  return connection
}

async function open(options: NatsOptions): Promise<NatsConnection> {
  const wanted = connectionOptions(options)
  try {
    return await connect(wanted)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof Error && error.name === 'AuthorizationError') {
      throw new JunctorError('BACKEND_REFUSED', `NATS refused the credentials: ${reason}`, { cause: error })
    }
    throw new JunctorError('BACKEND_UNREACHABLE', `NATS could not be reached at ${namesOf(options)}: ${reason}`, {
      cause: error,
    })
  }
}

function connectionOptions(options: NatsOptions): NodeConnectionOptions {
  const { servers, user, password, token, tls, name = 'junctor' } = options
  const authenticator = authenticatorOf(options)
  return {
    servers: [...servers],
    name,
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectJitterMs,
    reconnectJitterTLS: reconnectJitterMs,
    // A server that is set up again may know nobody for a while.
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(token !== undefined && { token }),
    ...(authenticator !== undefined && { authenticator }),
    ...(tls !== undefined && { tls: { ...tls } }),
  }
}

function authenticatorOf({ nkeySeed, credentials }: NatsOptions): Authenticator | undefined {
  const bytes = new TextEncoder()
  if (nkeySeed !== undefined) return readable(nkeyAuthenticator(bytes.encode(nkeySeed)), 'the seed of an nkey')
  if (credentials !== undefined)
    return readable(credsAuthenticator(bytes.encode(credentials)), 'the text of a credentials file')
  return undefined
}

/** An authenticator reads its text for each connection; what it cannot read is better said before the first. */
function readable(authenticator: Authenticator, what: string): Authenticator {
  try {
    authenticator('nonce')
    return authenticator
  } catch (error) {
    throw new JunctorError('CONFIG_INVALID', `expected ${what} for NATS, got a text that is none`, { cause: error })
  }
}

function namesOf({ servers }: NatsOptions): string {
  return servers.map(withoutSecrets).join(', ')
}

/** An address may carry a user and a password. */
function withoutSecrets(server: string): string {
  return server.replace(/\/\/[^@/]*@/, '//')
}

function checkVersion(connection: NatsConnection): void {
  const version = connection.info?.version ?? ''
  if (isRecent(version)) return
  const wanted = minVersion.join('.')
  throw new JunctorError('BACKEND_REFUSED', `expected nats-server ${wanted} or later, got ${version || 'no version'}`)
}

/** Whether a server of this version can be worked with. */
function isRecent(version: string): boolean {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0, 0, 0]
  const differing = minVersion.findIndex((wanted, index) => numbers[index] !== wanted)
  return differing === -1 || (numbers[differing] ?? 0) > (minVersion[differing] ?? 0)
}

/** A server that is there and has no JetStream says so at once; one that is busy, or elects a leader, is silent. */
async function checkJetStream(connection: NatsConnection, options: NatsOptions): Promise<void> {
  try {
    await jetstreamManager(connection, { checkAPI: true, timeout: jetStreamMs })
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') {
      const message = `NATS at ${namesOf(options)} did not say within ${jetStreamMs / 1_000} seconds whether it has JetStream: its servers may have no leader yet`
      throw new JunctorError('BACKEND_UNREACHABLE', message, { cause: error })
    }
    throw new JunctorError(
      'BACKEND_REFUSED',
      'expected a NATS account with JetStream, which this one has not: start nats-server with -js, or enable it for the account',
      { cause: error },
    )
  }
}

/** Ends with the connection. */
async function logChanges(connection: NatsConnection, log: Log): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('the connection to NATS is lost', { server: status.server })
    if (status.type === 'reconnect') log.info('connected to NATS again', { server: status.server })
    if (status.type === 'error') log.warn('NATS reports an error', { error: status.error.message })
  }
}
