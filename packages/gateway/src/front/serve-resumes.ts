import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { nodeHandler } from '../nodes/node-handler.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { streamOf } from '../sessions/session-outlet.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { StreamTable } from '../sessions/streams/stream-table.ts'
import { errorFor } from '../shared/errors.ts'
import { keptStream, unknownEventMessage } from './kept-stream.ts'
import { attachStream } from './attach-stream.ts'
import { RelaySink } from './relay-sink.ts'
import { resumeSchema } from './resume-params.ts'

/** Lets other nodes read the streams of this node, each for the session that owns the stream. */
export function serveResumes(
  fabric: Pick<Fabric, 'call'>,
  table: Pick<SessionTable, 'home' | 'otherHome'>,
  streams: StreamTable,
  unreadable: UnreadableReporter,
): Handler {
  return nodeHandler(resumeSchema, unreadable, (place, exchange, request) => {
    const session = exchange.context.session ?? ''
    const own = table.home(session)
    const profile = own?.tenant.tenant.profile
    const after = 'after' in place ? place.after : undefined
    const stream =
      place.stream === null
        ? own && streamOf(own, streams)
        : keptStream(streams, own, session, place.stream, place.after)
    if (stream !== undefined) {
      const sink = new RelaySink(exchange)
      attachStream(stream, sink, exchange.context, profile, after)
      return sink.done
    }
    const next = table.otherHome(session)
    // The session was handed over with its stream, and the asking node does not know it yet.
    if (next !== undefined) return fabric.call({ service: serviceNames.resume, node: next }, request, exchange)
    return failed(request, exchange, own === undefined ? 'session' : 'event')
  })
}

/** @param unknown what this node does not know: the session, as its home node, or the event */
function failed(request: Request, { context }: Exchange, unknown: 'session' | 'event'): Outcome {
  const error =
    unknown === 'session'
      ? errorFor(context, request.dialect, mcpProfile, 'session_unknown')
      : errorFor(context, request.dialect, mcpProfile, 'invalid_request', { message: unknownEventMessage })
  return { kind: 'error', error }
}
