import type { Fabric, UnreadableReporter } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { nodeHandler } from '../../nodes/node-handler.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import type { StreamTable } from '../../sessions/streams/stream-table.ts'
import { errorFor } from '../../shared/errors.ts'
import { findStream, unknownEventMessage } from './find-stream.ts'
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
    const found = findStream(table, streams, session, place)
    // The asking node does not know yet that the session was handed over.
    if (found.kind === 'moved')
      return fabric.call({ service: serviceNames.resume, node: found.node }, request, exchange)
    if (found.kind === 'unknown') return failed(request, exchange, found.isHome ? 'event' : 'session')
    const sink = new RelaySink(exchange)
    attachStream(found.stream, sink, exchange.context, table.home(session)?.tenant.tenant.profile, place?.n)
    return sink.done
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
