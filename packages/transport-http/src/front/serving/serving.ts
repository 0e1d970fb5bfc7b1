import type { Socket } from 'node:net'
import {
  type Admission,
  createStreamShares,
  createTrustedProxies,
  shareOf,
  type StreamShares,
  streamSharesOf,
  type TrustedProxies,
  type TrustedProxiesOptions,
} from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
import { defaultHttpLimits, type HttpLimits } from '../../options.ts'
import { BodyRoom } from '../body/body-room.ts'
import { ConnectionRoom } from './connection-room.ts'
import { OpenSinks } from './open-sinks.ts'
import { IdleWatch } from './idle-watch.ts'
import { TurnAnswers } from './turn-answers.ts'

/** The state that all requests of one front share. */
export interface Serving {
  readonly front: Front
  readonly admission: Admission
  readonly limits: HttpLimits
  readonly log: Log
  /** The URL under which clients reach the server, without a trailing slash; undefined: its listening address. */
  readonly publicUrl: string | undefined
  /** The path below which the endpoint is mounted at that address, without a trailing slash. */
  readonly prefix: string
  /** Finds the addresses of clients behind reverse proxies. */
  readonly proxies: TrustedProxies
  /** Limits the connections of each address. */
  readonly room: ConnectionRoom
  /** Limits the bodies that are being read. */
  readonly bodies: BodyRoom
  /** Limits the streams of each client. */
  readonly shares: StreamShares
  /** Limits the waits for jobs with a token alone, by address, because the caller is not authenticated. */
  readonly readers: StreamShares
  /** Unfinished answers. */
  readonly open: OpenSinks
  /** Answers that are written when the turn is over. */
  readonly answers: TurnAnswers
  /** Answers of which nothing was sent yet. */
  readonly held: IdleWatch
  /** Streams that may need a keep-alive. */
  readonly streams: IdleWatch
  /** Connections that end with a refusal: what else their clients have sent is not read. */
  readonly ending: WeakSet<Socket>
  /** When true, connections are closed after their answer. */
  closing: boolean
}

/** How long an answer is held before it becomes a stream, in milliseconds: most calls are done by then. */
const holdMs = 50

/** The parameters of a front. */
export type ServingParts = Pick<Serving, 'front' | 'admission' | 'log' | 'publicUrl' | 'prefix'> &
  TrustedProxiesOptions & {
    readonly limits: Partial<HttpLimits> | undefined
    readonly shares: StreamShares | undefined
  }

/**
 * Creates the state of a front. Limits that are not given have their defaults: one address may have a share of
 * `connections`.
 */
export function createServing({ limits, shares, trustedProxies, ...parts }: ServingParts): Serving {
  const all = { ...defaultHttpLimits, ...limits }
  const { connections, connectionsOfAddress = shareOf(connections) } = all
  return {
    ...parts,
    limits: all,
    proxies: createTrustedProxies(trustedProxies),
    room: new ConnectionRoom({ connections, connectionsOfAddress }),
    bodies: new BodyRoom(),
    shares: shares ?? createStreamShares(streamSharesOf(connections)),
    readers: createStreamShares({ streamsOfPrincipal: connectionsOfAddress, streamsOfTenant: connections }),
    open: new OpenSinks(parts.front.reportError),
    answers: new TurnAnswers(parts.front.reportError),
    held: new IdleWatch(holdMs, parts.front.reportError),
    streams: new IdleWatch(all.streamKeepAliveMs, parts.front.reportError),
    ending: new WeakSet(),
    closing: false,
  }
}

/** Ends what can be ended, waits up to `graceMs` milliseconds for pending answers, and stops all timers. */
export async function drain(serving: Serving, graceMs: number): Promise<void> {
  serving.closing = true
  serving.answers.flush()
  await serving.open.drain(graceMs)
  serving.held.close()
  serving.streams.close()
}
