import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import type { ReplayStream } from '../../sessions/streams/replay-stream.ts'
import type { StreamTable } from '../../sessions/streams/stream-table.ts'
import { emptyOutcome } from '../../shared/empty-outcome.ts'
import { errorFor } from '../../shared/errors.ts'
import { findStream, unknownEventMessage } from './find-stream.ts'
import { RelaySink } from './relay-sink.ts'
import { lostReaderSchema, resumeSchema } from './resume-params.ts'
import type { StreamReaders } from './stream-readers.ts'

/** The services with which other nodes read streams of this node. */
export interface ResumeServices {
  /** Sends a stream of a session, or the rest of it. Only for the session that owns the stream. */
  readonly resume: Handler
  /** Receives that a reader is lost. What was not written to it goes to the next reader. */
  readonly readerLost: Handler
}

interface Reader {
  readonly sink: RelaySink
  readonly stream: ReplayStream
  /** See `StreamReaders`. */
  readonly number: number
}

/** Lets other nodes read the streams of this node, each for the session that owns the stream. */
export function serveResumes(
  fabric: Pick<Fabric, 'call'>,
  table: Pick<SessionTable, 'home' | 'otherHome'>,
  streams: StreamTable,
  streamReaders: StreamReaders,
  unreadable: UnreadableReporter,
): ResumeServices {
  /** By the id of the exchange with which the other node reads. */
  const readers = new Map<string, Reader>()

  const read = (stream: ReplayStream, exchange: Exchange, after: number | undefined): Promise<Outcome> => {
    const sink = new RelaySink(exchange)
    const profile = table.home(exchange.context.session ?? '')?.tenant.tenant.profile
    readers.set(exchange.id, {
      sink,
      stream,
      number: streamReaders.attach(stream, sink, exchange.context, profile, after),
    })
    return sink.done.finally(() => readers.delete(exchange.id))
  }

  return {
    resume: nodeHandler(resumeSchema, unreadable, (place, exchange, request) => {
      // The reader has left while it was checked whose home this node is: what is sent to it now would be lost.
      if (exchange.ended !== undefined) return emptyOutcome
      const found = findStream(table, streams, exchange.context.session ?? '', place)
      // The asking node does not know yet that the session was handed over.
      if (found.kind === 'moved')
        return fabric.call({ service: serviceNames.resume, node: found.node }, request, exchange)
      if (found.kind === 'unknown') return failed(request, exchange, found.isHome ? 'event' : 'session')
      return read(found.stream, exchange, place?.n)
    }),
    readerLost: nodeHandler(lostReaderSchema, unreadable, ({ reader, written }, exchange, request) => {
      const lost = readers.get(reader)
      if (lost !== undefined) {
        const { sink, stream, number } = lost
        sink.close()
        if (sink.lastEvent !== undefined && !streamReaders.isResumedAfter(number, stream))
          stream.takeBack(sink.lastEvent, sink.sent - written)
        return emptyOutcome
      }
      // It reads from the next home of the session.
      const node = table.otherHome(exchange.context.session ?? '')
      if (node === undefined) return emptyOutcome
      return fabric.call({ service: serviceNames.readerLost, node }, request, exchange)
    }),
  }
}

/** @param unknown what this node does not know: the session, as its home node, or the event */
function failed(request: Request, { context }: Exchange, unknown: 'session' | 'event'): Outcome {
  const error =
    unknown === 'session'
      ? errorFor(context, request.dialect, mcpProfile, 'session_unknown')
      : errorFor(context, request.dialect, mcpProfile, 'invalid_request', { message: unknownEventMessage })
  return { kind: 'error', error }
}
