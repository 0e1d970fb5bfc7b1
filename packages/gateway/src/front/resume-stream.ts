import type { Fabric, Session } from '@junctor/contracts'
import type { Outcome, Sink } from '@junctor/exchange'
import { createExchange } from '@junctor/exchange'
import type { WireError } from '@junctor/jsonrpc'
import { printError } from '@junctor/jsonrpc'
import { noExtensions, wireError } from '@junctor/protocol'
import { nodeRequest } from '../nodes/node-request.ts'
import { serviceNames } from '../nodes/service-names.ts'
import { reasonOf } from '../shared/errors.ts'
import type { SessionTable } from '../sessions/session-table.ts'
import type { EventPlace } from '../sessions/streams/event-id.ts'
import { readEventId } from '../sessions/streams/event-id.ts'
import type { DispatchParts } from './dispatch.ts'
import { keptStream, unknownEventMessage } from './kept-stream.ts'
import { RelayOutlet, attachStream, resumeBody } from './attach-stream.ts'
import { streamOf } from '../sessions/session-outlet.ts'

/** What reading streams needs. */
export interface ResumeParts {
  readonly parts: DispatchParts
  readonly fabric: Fabric
  readonly table: SessionTable
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
}

/** Sends a client its session's own stream, or the rest of an interrupted stream, from the node that keeps it. */
export function resumeStream(
  resuming: ResumeParts,
  session: Session,
  lastEventId: string | undefined,
  sink: Sink,
): void {
  const { parts, fabric, table } = resuming
  const { streams } = parts
  const place = lastEventId === undefined ? undefined : readEventId(lastEventId)
  if (place?.kind === 'foreign')
    return refuse(parts, session, sink, unknownEvent(session, `Unknown event id: ${place.why}`))
  const home = table.home(session.id)
  // The own stream keeps its id, and with it the name of an earlier node, when its session is handed over.
  const isOwn = place !== undefined && home?.stream?.id === place.stream
  const keeper = isOwn ? fabric.node : (place?.node ?? session.home)
  const { profile } = session.tenant
  if (keeper !== fabric.node) return relay(resuming, session, keeper, place, sink)

  if (place === undefined) {
    if (home === undefined) return refuse(parts, session, sink, over(session))
    return attachStream(streamOf(home, streams), sink, session, profile)
  }
  const stream = keptStream(streams, home, session.id, place.stream, place.n)
  const next = stream === undefined ? table.elsewhere(session.id) : undefined
  if (next !== undefined) return relay(resuming, session, next.home, place, sink)
  const hasEnded = home === undefined && session.home === fabric.node
  if (stream === undefined) return refuse(parts, session, sink, hasEnded ? over(session) : unknownEvent(session))
  parts.emit({ kind: 'stream_resumed', result: 'resumed' })
  attachStream(stream, sink, session, profile, place.n)
}

function refuse({ emit }: Pick<DispatchParts, 'emit'>, session: Session, sink: Sink, error: WireError): void {
  emit({ kind: 'stream_resumed', result: 'unknown' })
  const { profile } = session.tenant
  void sink.send(printError(undefined, error, profile.nullId(session.revision)), true, undefined, error.status)
}

/**
 * The error for an event that is unknown, belongs to another session, or is no longer kept: the client must start over.
 */
function unknownEvent({ revision, tenant }: Session, message: string = unknownEventMessage): WireError {
  const view = { revision, dialect: '2.0', profile: tenant.profile } as const
  return wireError('invalid_request', view, { message })
}

/** The error when the node that keeps the stream cannot be reached now: the client must try again. */
function away({ revision, tenant }: Session): WireError {
  return wireError('fabric_unavailable', { revision, dialect: '2.0', profile: tenant.profile })
}

/** The error when the session has ended since this request was admitted. */
function over({ revision, tenant }: Session): WireError {
  return wireError('session_unknown', { revision, dialect: '2.0', profile: tenant.profile })
}

/** The error for a client, when the node that was asked did not send the stream. */
function errorOf(outcome: Outcome, session: Session, node: string): WireError {
  if (isPassing(outcome)) return away(session)
  // Another node than the home keeps streams of the session, but does not know whether the session has ended.
  return reasonOf(outcome) === 'session_unknown' && node === session.home ? over(session) : unknownEvent(session)
}

function relay(
  { parts, fabric, isPresent }: ResumeParts,
  session: Session,
  keeper: string,
  place: EventPlace | undefined,
  sink: Sink,
): void {
  const request = nodeRequest(serviceNames.resume, resumeBody(session.id, place))
  const { context, revision } = session
  const { profile } = session.tenant
  // A stream is read for as long as its client stays, so it has no deadline.
  const exchange = createExchange(
    { id: parts.host.nextId(), request, context, deadline: Infinity, attempt: 1, wantsProgress: false },
    parts.host,
  )
  exchange.attach(
    new RelayOutlet(
      {
        id: request.id,
        method: request.method,
        revision,
        dialect: '2.0',
        delivery: 'inline',
        profile,
        asks: 'none',
        progressToken: undefined,
        stream: false,
        extensions: noExtensions,
      },
      sink,
    ),
  )
  sink.owner = { lost: () => exchange.end('disconnected'), waiting() {} }
  const ask = (node: string): Promise<Outcome> => fabric.call({ service: serviceNames.resume, node }, request, exchange)
  const read = async (): Promise<void> => {
    // When the node that kept the stream is gone, the session's home may have it.
    let node = keeper === session.home || (await isPresent(keeper)) ? keeper : session.home
    let outcome = await ask(node)
    // The node has left meanwhile, and has handed the session over with its stream.
    while (isPassing(outcome) && node !== session.home && !(await isPresent(node))) {
      node = session.home
      outcome = await ask(node)
    }
    const isError = outcome.kind === 'error'
    if (place !== undefined) parts.emit({ kind: 'stream_resumed', result: isError ? 'unknown' : 'resumed' })
    if (!isError) return exchange.settle(outcome)
    exchange.settle({ kind: 'error', error: errorOf(outcome, session, node) })
  }
  void read()
}

/**
 * Whether a later attempt can succeed: the node did not say that the event is unknown. It may only be away for a
 * moment, or may have left, and the session's next home is not known here yet.
 */
function isPassing(outcome: Outcome): boolean {
  const reason = reasonOf(outcome)
  return reason === 'fabric_unavailable' || reason === 'backend_unavailable' || reason === 'backend_exited'
}
