import type { Closer, Control } from '@junctor/contracts'
import type { Handler } from '@junctor/exchange'
import type { BackendSide } from './backend-side.ts'
import type { ClientSide } from './client-side.ts'
import type { NodeParts } from './node-parts.ts'
import { resumeHere } from './front/stateless/answer-stateless.ts'
import { onSessionControl } from './front/messages/on-session-control.ts'
import { serveResumes } from './front/resume/serve-resumes.ts'
import { subscribeControls } from './nodes/subscribe-controls.ts'
import { serviceNames } from './nodes/service-names.ts'
import { serveAdoption } from './sessions/handover/adopt-sessions.ts'
import type { HomeKeeper } from './sessions/home/home-keeper.ts'

/** The services and subscriptions of a node for the other nodes. */
export interface NodeServices {
  /** Unsubscribes from the control messages of other nodes. */
  closeControls(): Promise<void>
  /** Stops answering other nodes. */
  close(): Promise<void>
}

/** Serves the requests of other nodes. */
export async function serveNodes(
  nodeParts: NodeParts,
  backendSide: BackendSide,
  { sessions, visiting, messages, cancels, awaitedAnswers, shared, stateless, streamReaders }: ClientSide,
): Promise<NodeServices> {
  const { fabric, nodes, table, streams, search, state, reportError, unreadable, rates } = nodeParts
  const { answer, desk, deliveries } = backendSide
  nodes.onLeft((left) => {
    sessions.homeLeft(left)
    deliveries.lost(left)
    messages.lost(left)
  })
  const { resume, readerLost } = serveResumes(fabric, table, streams, streamReaders, unreadable)
  const services: readonly (Closer | readonly Closer[])[] = await Promise.all([
    desk.serve(),
    deliveries.serve(),
    messages.serve(),
    shared.serve(),
    awaitedAnswers.serve(),
    serveAdoption({ ...nodeParts, ...backendSide, isRetired: () => state.isRetired }),
    search.serve(),
    fabric.serve(serviceNames.session, visiting.handler(whenChecked(sessions.keeper, answer))),
    fabric.serve(serviceNames.parked, resumeHere(stateless.parked)),
    fabric.serve(serviceNames.resume, whenChecked(sessions.keeper, resume)),
    fabric.serve(serviceNames.readerLost, whenChecked(sessions.keeper, readerLost)),
  ])
  const onSession = onSessionControl({
    cancels,
    table,
    end: (id) => sessions.endQuietly(id),
    leave: (id) => sessions.leave(id),
  })
  const listeners = [onSession, (control: Control) => desk.control(control), rates.control]
  const controls = subscribeControls(fabric, listeners, reportError, unreadable)
  return {
    closeControls: () => controls.close(),
    async close() {
      await Promise.all(services.flat().map((service) => service.close()))
    },
  }
}

/** Wraps a handler for calls of other nodes: it runs after the check that this node is still the session's home. */
function whenChecked(keeper: Pick<HomeKeeper, 'checked'>, handler: Handler): Handler {
  return (request, exchange) => {
    const checked = keeper.checked(exchange.context.session ?? '')
    return checked === undefined ? handler(request, exchange) : checked.then(() => handler(request, exchange))
  }
}
