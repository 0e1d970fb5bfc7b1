import type { Front } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import type { BackendSide } from './backend-side.ts'
import { createNodeShutdown, type NodeShutdown } from './node-shutdown.ts'
import type { NodeParts } from './node-parts.ts'
import { Cancels } from './front/messages/cancels.ts'
import { type ClientMessages, createClientMessages } from './front/messages/client-messages.ts'
import { createFront } from './front/create-front.ts'
import { createDeferredAnswers } from './front/deferred/deferred-answers.ts'
import type { DispatchParts } from './front/requests/dispatch.ts'
import { OpenRequests } from './front/stateless/open-requests.ts'
import { StreamReaders } from './front/resume/stream-readers.ts'
import { createRootsChanges, notifyRootsChanged } from './front/messages/roots-changes.ts'
import { createSharedEndpoints, type SharedEndpoints } from './front/shared-endpoints.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { createSessions, type Sessions } from './sessions/create-sessions.ts'
import { createWaitRefusal } from './sessions/handover/wait-refusal.ts'
import { createVisitingCalls, type VisitingCalls } from './sessions/home/visiting-calls.ts'
import { type AwaitedAnswers, createAwaitedAnswers } from './sessions/session/awaited-answers.ts'
import { createTraces } from './shared/trace-parent.ts'
import { createStatelessSide, type StatelessSide } from './stateless-side.ts'

/** The parts of a node that serve clients and manage their sessions. */
export interface ClientSide {
  readonly sessions: Sessions
  /** The calls of other nodes for sessions whose home is this node. */
  readonly visiting: VisitingCalls
  readonly messages: ClientMessages
  readonly cancels: Cancels
  readonly awaitedAnswers: AwaitedAnswers
  readonly shared: SharedEndpoints
  readonly stateless: StatelessSide
  readonly streamReaders: StreamReaders
  readonly front: Front
  readonly shutdown: NodeShutdown
}

/**
 * Creates everything that serves clients: sessions, the front, and shutdown. The backend side answers their requests.
 */
export function createClientSide(nodeParts: NodeParts, backendSide: BackendSide, options: GatewayOptions): ClientSide {
  const { reconnects, reportError, fabric, clock, log, limits, table, tenants, state } = nodeParts
  const { answer, desk, runner, sessionless, upstream } = backendSide
  const waitRefusal = createWaitRefusal({
    isAtWork: (id = '') => runner.isRunning || table.peek(id)?.jobsDone() !== undefined,
    reportError,
  })
  const visiting = createVisitingCalls((id) => waitRefusal.refuses(id))
  const sessions = createSessions({
    ...nodeParts,
    upstream,
    endJobs: (id) => desk.endSession(id),
    endVisiting: (id, reason, isOutlived) => visiting.end(id, reason, isOutlived),
    hasRecentlyReconnected: () => reconnects.hasRecentlyReconnected(),
  })
  // Immediately: other nodes may have recorded the end of its sessions, and clients may call before the next check.
  reconnects.onReconnect(() => sessions.keeper.wasAway())
  const cancels = new Cancels({ fabric, jobs: desk, log })
  const roots = createRootsChanges(limits.listChangedMs, clock, notifyRootsChanged)
  const messages = createClientMessages({ ...nodeParts, upstream, home: (id) => table.home(id), roots, cancels })
  const awaitedAnswers = createAwaitedAnswers(nodeParts)
  const shared = createSharedEndpoints({ ...nodeParts, sessionless, tenant: (name) => tenants.get(name)?.tenant })
  const dispatching: DispatchParts = {
    ...nodeParts,
    node: fabric.node,
    answer,
    startTrace: createTraces(),
    deadlines: clock.deadlines,
  }
  const stateless = createStatelessSide(nodeParts, backendSide, options)
  const urlOf = (tenant: string): string => `${options.publicUrl ?? ''}/mcp/${tenant}/jobs`
  const streamReaders = new StreamReaders()
  const front = createFront({
    ...nodeParts,
    streamReaders,
    access: options,
    profile: options.profile ?? (() => mcpProfile),
    messageEndpoints: shared.messageEndpoints,
    directory: sessions.directory,
    sessionless,
    stateless: stateless.answer,
    statelessWithHeaders: stateless.answerWithHeaders,
    openRequests: new OpenRequests(),
    messages,
    cancels,
    opening: { ...nodeParts, info: options.info, isRetired: () => state.isRetired, upstream },
    dispatching,
    jobs: desk,
    deferred: createDeferredAnswers({
      ...dispatching,
      ...backendSide,
      jobs: desk,
      announce: (session) => awaitedAnswers.announce(session),
      urlOf,
    }),
    endSession: (id, reason) => sessions.end(id, reason),
  })
  const shutdown = createNodeShutdown({ ...nodeParts, ...backendSide, sessions, stateless, visiting, waitRefusal })
  return { sessions, visiting, messages, cancels, awaitedAnswers, shared, stateless, streamReaders, front, shutdown }
}
