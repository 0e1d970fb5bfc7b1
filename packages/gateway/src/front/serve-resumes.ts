import type { Fabric } from '@junctor/contracts'
import type { Exchange, Handler, Outcome } from '@junctor/exchange'
import type { Request } from '@junctor/jsonrpc'
import { isJsonObject } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { serviceNames } from '../nodes/service-names.ts'
import { streamOf } from '../sessions/session-outlet.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { StreamTable } from '../sessions/streams/stream-table.ts'
import { errorFor } from '../shared/errors.ts'
import { keptStream, unknownEventMessage } from './kept-stream.ts'
import { RelaySink, attachStream } from './attach-stream.ts'

/** Lets other nodes read the streams of this node, each for the session that owns the stream. */
export function serveResumes(
  fabric: Pick<Fabric, 'call'>,
  table: Pick<SessionTable, 'home' | 'elsewhere'>,
  streams: StreamTable,
): Handler {
  return (request, exchange) => {
    const params = request.params?.value()
    const { stream: id, after } = isJsonObject(params) ? params : {}
    const session = exchange.context.session ?? ''
    const own = table.home(session)
    const profile = own?.tenant.tenant.profile
    if (id === null && own !== undefined) {
      const sink = new RelaySink(exchange)
      attachStream(streamOf(own, streams), sink, exchange.context, profile)
      return sink.done
    }
    const isPlace = typeof id === 'string' && typeof after === 'number'
    const stream = isPlace ? keptStream(streams, own, session, id, after) : undefined
    const next = stream === undefined ? table.elsewhere(session) : undefined
    // The session was handed over with its stream, and the asking node does not know it yet.
    if (next !== undefined) return fabric.call({ service: serviceNames.resume, node: next.home }, request, exchange)
    if (stream === undefined || !isPlace) return failed(request, exchange, own === undefined ? 'session' : 'event')
    const sink = new RelaySink(exchange)
    attachStream(stream, sink, exchange.context, profile, after)
    return sink.done
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
