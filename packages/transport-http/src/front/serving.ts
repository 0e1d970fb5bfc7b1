import { type Admission, createStreamShares, shareOf, type StreamShares, streamSharesOf } from '@junctor/connection'
import type { Front, Log } from '@junctor/contracts'
import { defaultHttpLimits, type HttpLimits } from '../options.ts'
import { ConnectionRoom } from './connection-room.ts'
import { OpenSinks } from './open-sinks.ts'
import { QuietWatch } from './quiet-watch.ts'

/** What all requests of one front share. */
export interface Serving {
  readonly front: Front
  readonly admission: Admission
  readonly limits: HttpLimits
  readonly log: Log
  /** The URL that clients know the server by, without a slash at its end; undefined: the address it listens on. */
  readonly publicUrl: string | undefined
  /** The path below which the endpoint is mounted at that address, without a slash at its end. */
  readonly prefix: string
  /** Who has the connections. */
  readonly room: ConnectionRoom
  /** Who has the streams. */
  readonly shares: StreamShares
  /** Who is told of jobs by their tokens alone: before a caller is known there is only its address. */
  readonly readers: StreamShares
  /** Answers that are not finished. */
  readonly open: OpenSinks
  /** Answers of which nothing was sent yet. */
  readonly held: QuietWatch
  /** Streams, for their keep-alive comments. */
  readonly streams: QuietWatch
  /** From now on connections are closed after their answer. */
  closing: boolean
}

/** How long the answer to a request is held before it becomes a stream, in milliseconds: most calls are done by then. */
const holdMs = 50

/** What a front is made of. */
export type ServingParts = Pick<Serving, 'front' | 'admission' | 'log' | 'publicUrl' | 'prefix'> & {
  readonly limits: Partial<HttpLimits> | undefined
  readonly shares: StreamShares | undefined
}

export function createServing({ limits, shares, ...parts }: ServingParts): Serving {
  const all = { ...defaultHttpLimits, ...limits }
  const { connections, connectionsOfAddress = shareOf(connections) } = all
  return {
    ...parts,
    limits: all,
    room: new ConnectionRoom({ connections, connectionsOfAddress }),
    shares: shares ?? createStreamShares(streamSharesOf(connections)),
    readers: createStreamShares({ streamsOfPrincipal: connectionsOfAddress, streamsOfTenant: connections }),
    open: new OpenSinks(parts.front.caught),
    held: new QuietWatch(holdMs, parts.front.caught),
    streams: new QuietWatch(all.streamKeepAliveMs, parts.front.caught),
    closing: false,
  }
}

/** Ends what can be ended, waits up to `graceMs` for answers that are under way, and stops all timers. */
export async function drain(serving: Serving, graceMs: number): Promise<void> {
  serving.closing = true
  await serving.open.drain(graceMs)
  serving.held.close()
  serving.streams.close()
}
