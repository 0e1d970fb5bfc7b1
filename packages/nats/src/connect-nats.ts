import { type Log, reasonWithCauses } from '@junctor/contracts'
import { JunctorError } from '@junctor/protocol'
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import { connect, type NatsConnection, type NodeConnectionOptions, TimeoutError } from '@nats-io/transport-node'
import { connectionChanges } from './connection-changes.ts'
import { type NatsCredentials, readNatsCredentials, type ReadNatsCredentials, renewable } from './nats-credentials.ts'
import { logReasonsOfOutages } from './reasons-of-outages.ts'
import { unreachable } from './unreachable.ts'

/** How to connect to NATS. */
export interface NatsOptions extends NatsCredentials {
  /**
   * Addresses such as `nats://nats:4222`. One with `tls://` requires TLS of all servers. Other servers of the NATS cluster
   * are discovered.
   */
  readonly servers: readonly string[]
}

/** The oldest server whose consumers the client library can use. */
const minVersion = [2, 9, 4] as const

/** The time limit for connecting and the handshake, in milliseconds. */
const connectMs = 3_000

/**
 * How long the servers may take to say whether they have JetStream, in milliseconds: they elect a leader within nine
 * seconds.
 */
const jetStreamMs = 12_000

/** The time limit for one answer to that, in milliseconds. A request that arrives before there is a leader is lost. */
const answerMs = 2_000

/** The error code of servers that have had no leader for ten seconds. */
const noLeader = 10_008

/**
 * The pause between two reconnect attempts, in milliseconds. The jitter prevents all nodes from reconnecting at the
 * same time.
 */
const reconnectMs = 250
const reconnectJitterMs = 750

/** The interval of pings, in milliseconds. A server that does not answer three of them is given up for another one. */
const pingMs = 2_000

/**
 * Connects and checks the features of the server. Afterwards, a lost connection is restored, without a limit of
 * attempts. Messages published in between are lost.
 *
 * @param current returns the credentials of each connection, in place of those in `options`, which it may have renewed
 * @throws JunctorError `CONFIG_INVALID` for malformed credentials; `FABRIC_UNAVAILABLE` for servers that do not answer or
 * refuse the credentials, a server older than 2.9.4, and one without JetStream
 */
export async function connectNats(
  options: NatsOptions,
  log: Log,
  current: () => ReadNatsCredentials = unchanging(options),
): Promise<NatsConnection> {
  const connection = await open(options, current)
  try {
    checkVersion(connection)
    await checkJetStream(connection, options)
  } catch (error) {
    await connection.close()
    throw error
  }
  void logChanges(connection, log)
  void logErrors(connection, log)
  void logReasonsOfOutages(connectionChanges(connection), () => reasonNow(options, current), log)
  return connection
}

function unchanging(options: NatsOptions): () => ReadNatsCredentials {
  const read = readNatsCredentials(options)
  return () => read
}

async function open(options: NatsOptions, current: () => ReadNatsCredentials): Promise<NatsConnection> {
  const renewed = renewable(current, options.servers)
  try {
    return await connect({ ...connectionOptions(options), ...renewed })
  } catch (error) {
    throw unreachable(error, namesOf(options), renewed.tls && (current().tls ?? {}))
  }
}

/** Connects once more, only to learn why that fails. */
async function reasonNow(options: NatsOptions, current: () => ReadNatsCredentials): Promise<string | undefined> {
  try {
    await (await open(options, current)).close()
    return undefined
  } catch (error) {
    return reasonWithCauses(error)
  }
}

function connectionOptions({ servers }: NatsOptions): NodeConnectionOptions {
  return {
    servers: [...servers],
    // In the server's monitoring.
    name: 'junctor',
    timeout: connectMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectJitterMs,
    reconnectJitterTLS: reconnectJitterMs,
    // A server that is being set up again may not know its users for a while.
    ignoreAuthErrorAbort: true,
    pingInterval: pingMs,
  }
}

function namesOf({ servers }: NatsOptions): string {
  return servers.map(withoutSecrets).join(', ')
}

/** Removes the user and the password that an address may contain. */
function withoutSecrets(server: string): string {
  return server.replace(/\/\/[^@/]*@/, '//')
}

function checkVersion(connection: NatsConnection): void {
  const version = connection.info?.version ?? ''
  if (isRecent(version)) return
  const wanted = minVersion.join('.')
  throw new JunctorError(
    'FABRIC_UNAVAILABLE',
    `expected nats-server ${wanted} or later, got ${version || 'no version'}`,
  )
}

/** Whether the version of a server is supported. */
function isRecent(version: string): boolean {
  const numbers = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? [0, 0, 0]
  const differing = minVersion.findIndex((wanted, index) => numbers[index] !== wanted)
  return differing === -1 || (numbers[differing] ?? 0) > (minVersion[differing] ?? 0)
}

/**
 * Checks for JetStream. A server without JetStream answers immediately; a server that is busy or elects a leader does
 * not answer.
 */
async function checkJetStream(connection: NatsConnection, options: NatsOptions): Promise<void> {
  const end = performance.now() + jetStreamMs
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      await jetstreamManager(connection, { checkAPI: true, timeout: answerMs })
      return
    } catch (error) {
      const mayComeLate = error instanceof TimeoutError && performance.now() < end
      if (!mayComeLate) throw new JunctorError('FABRIC_UNAVAILABLE', jetStreamProblem(error, options), { cause: error })
    }
  }
}

function jetStreamProblem(error: unknown, options: NatsOptions): string {
  const server = `NATS at ${namesOf(options)}`
  if (error instanceof TimeoutError) {
    return `${server} did not say within ${jetStreamMs / 1_000} seconds whether it has JetStream: its servers may have no leader yet`
  }
  if (error instanceof JetStreamApiError && error.code === noLeader) {
    return `${server} has no leader: too few servers of its cluster can be reached`
  }
  if (error instanceof Error && error.message.startsWith('Permissions Violation')) {
    return `${server} does not allow this user what a node needs`
  }
  return 'expected a NATS account with JetStream, which this one has not: start nats-server with -js, or enable it for the account'
}

/** Logs changes of the connection. Ends with the connection. */
async function logChanges(connection: NatsConnection, log: Log): Promise<void> {
  for await (const change of connectionChanges(connection)) {
    const server = connection.getServer()
    if (change === 'lost') log.warn('the connection to NATS is lost', { server })
    else log.info('connected to NATS again', { server })
  }
}

/** How many errors are remembered: each subject has its own. */
const mostSaid = 100

/** Logs each error of the connection once until it is lost. A server that refuses credentials says the same each second. */
async function logErrors(connection: NatsConnection, log: Log): Promise<void> {
  const said = new Set<string>()
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') said.clear()
    if (status.type !== 'error') continue
    const { message } = status.error
    if (said.has(message)) continue
    log.warn('NATS reports an error', { error: message })
    if (said.size === mostSaid) said.clear()
    said.add(message)
  }
}
