import type { Fabric, Session } from '@junctor/contracts'
import { createExchange, type Outcome, relayView, type Sink } from '@junctor/exchange'
import type { WireError } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { callNode } from '../../nodes/call-node.ts'
import { nodeDidNotAnswer } from '../../nodes/node-did-not-answer.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { reasonOf } from '../../shared/errors.ts'
import type { SessionTable } from '../../sessions/session/session-table.ts'
import { type EventPlace, readEventId } from '../../sessions/streams/event-id.ts'
import type { DispatchParts } from '../requests/dispatch.ts'
import { errorAnswer, type ErrorForm, sendAnswer } from '../requests/text-answer.ts'
import { findStream, unknownEventMessage } from './find-stream.ts'
import { RelayOutlet } from './relay-outlet.ts'
import { resumeParams } from './resume-params.ts'
import type { StreamReaders } from './stream-readers.ts'

/** How long the node of a stream has to learn how much was written to its lost reader, in milliseconds. */
const leaveMs = 2_000

/** What reading streams needs. */
export interface ResumeParts extends Pick<DispatchParts, 'streams' | 'emit' | 'host'> {
  readonly fabric: Fabric
  readonly table: SessionTable
  readonly streamReaders: StreamReaders
  /** Whether a node is present, also while it cannot be reached for a moment. */
  readonly isPresent: (node: string) => Promise<boolean>
}

/** Sends a client its session's own stream, or the rest of an interrupted stream, from the node that keeps it. */
export function resumeStream(parts: ResumeParts, session: Session, lastEventId: string | undefined, sink: Sink): void {
  const { fabric, streams, streamReaders, table } = parts
  const form = formOf(table, session)
  const place = lastEventId === undefined ? undefined : readEventId(lastEventId)
  if (place?.kind === 'foreign') {
    return refuse(parts, form, sink, unknownEvent(form, `Unknown event id: ${place.why}`))
  }
  // The own stream keeps its id, and with it the name of an earlier node, when its session is handed over.
  const isOwn = place !== undefined && table.home(session.id)?.stream?.id === place.stream
  const keeper = isOwn ? fabric.node : (place?.node ?? session.home)
  if (keeper !== fabric.node) return relay(parts, session, keeper, place, sink)
  const found = findStream(table, streams, session.id, place)
  if (found.kind === 'moved') return relay(parts, session, found.node, place, sink)
  if (found.kind === 'unknown') {
    const hasEnded = !found.isHome && session.home === fabric.node
    return refuse(parts, form, sink, hasEnded ? wireError('session_unknown', form) : unknownEvent(form))
  }
  if (place !== undefined) parts.emit({ kind: 'stream_resumed', result: 'resumed' })
  streamReaders.attach(found.stream, sink, session, session.tenant.profile, place?.n)
}

function refuse({ emit }: Pick<DispatchParts, 'emit'>, form: ErrorForm, sink: Sink, error: WireError): void {
  emit({ kind: 'stream_resumed', result: 'unknown' })
  void sendAnswer(sink, errorAnswer(undefined, error, form))
}

/** A reader names no version: it gets that of the session's last message, as far as this node knows it. */
function formOf(table: SessionTable, { id, revision, tenant }: Session): ErrorForm {
  return { revision, dialect: table.dialectOf(id) ?? '2.0', profile: tenant.profile }
}

/** The client must start over. */
function unknownEvent(form: ErrorForm, message: string = unknownEventMessage): WireError {
  return wireError('invalid_request', form, { message })
}

/** The error for a client, when the node that was asked did not send the stream. */
function errorOf(outcome: Outcome, form: ErrorForm, isHome: boolean): WireError {
  // The client may try again.
  if (nodeDidNotAnswer(outcome)) return wireError('fabric_unavailable', form)
  // Another node than the home keeps streams of the session, but does not know whether the session has ended.
  return reasonOf(outcome) === 'session_unknown' && isHome ? wireError('session_unknown', form) : unknownEvent(form)
}

function relay(
  { fabric, table, host, emit, isPresent }: ResumeParts,
  session: Session,
  keeper: string,
  place: EventPlace | undefined,
  sink: Sink,
): void {
  const request = nodeRequest(serviceNames.resume, resumeParams(place))
  const { context } = session
  const form = formOf(table, session)
  // A stream is read for as long as its client stays, so it has no deadline.
  const exchange = createExchange(
    { id: host.nextId(), request, context, deadline: Infinity, attempt: 1, wantsProgress: false },
    host,
  )
  const view = { ...relayView(exchange), dialect: form.dialect, profile: form.profile, asks: 'none' } as const
  const outlet = new RelayOutlet(view, sink)
  exchange.attach(outlet)
  /** The node that was asked for the stream. It may have sent more than was written here. */
  let keptBy: string | undefined
  const leave = async (): Promise<void> => {
    const written = outlet.leave()
    if (keptBy !== undefined && !exchange.closed) {
      const lost = nodeRequest(serviceNames.readerLost, { reader: exchange.id, written })
      await callNode({ fabric, host }, { node: keptBy, request: lost, context, withinMs: leaveMs })
    }
    exchange.end('disconnected')
  }
  sink.owner = { lost: () => void leave(), waiting() {} }
  const ask = (node: string): Promise<Outcome> => {
    keptBy = node
    return fabric.call({ service: serviceNames.resume, node }, request, exchange)
  }
  const read = async (): Promise<void> => {
    // When the node that kept the stream is gone, the session's home may have it.
    let node = keeper === session.home || (await isPresent(keeper)) ? keeper : session.home
    let outcome = await ask(node)
    // The node has left meanwhile, and has handed the session over with its stream. Its next home may not be known here yet.
    while (nodeDidNotAnswer(outcome) && node !== session.home && !(await isPresent(node))) {
      node = session.home
      outcome = await ask(node)
    }
    const isError = outcome.kind === 'error'
    if (place !== undefined) emit({ kind: 'stream_resumed', result: isError ? 'unknown' : 'resumed' })
    if (!isError) return exchange.settle(outcome)
    exchange.settle({ kind: 'error', error: errorOf(outcome, form, node === session.home) })
  }
  void read()
}
