import type { Front } from '@junctor/contracts'
import { mcpProfile } from '@junctor/protocol'
import type { Answering } from './answering.ts'
import type { NodeShutdown } from './node-shutdown.ts'
import { createNodeShutdown } from './node-shutdown.ts'
import type { Foundation } from './foundation.ts'
import { Cancels } from './front/cancels.ts'
import type { ClientMessages } from './front/client-messages.ts'
import { createClientMessages } from './front/client-messages.ts'
import { createFront } from './front/create-front.ts'
import { createDeferredAnswers } from './front/deferred-answers.ts'
import type { DispatchParts } from './front/dispatch.ts'
import { OpenRequests } from './front/open-requests.ts'
import { createRootsChanges, notifyRootsChanged } from './front/roots-changes.ts'
import type { SharedEndpoints } from './front/shared-endpoints.ts'
import { createSharedEndpoints } from './front/shared-endpoints.ts'
import type { GatewayOptions } from './gateway-options.ts'
import type { Sessions } from './sessions/create-sessions.ts'
import { createSessions } from './sessions/create-sessions.ts'
import type { OwedAnswers } from './sessions/owed-answers.ts'
import { createOwedAnswers } from './sessions/owed-answers.ts'
import { createTraces } from './shared/trace-parent.ts'
import type { StatelessSide } from './stateless-side.ts'
import { createStatelessSide } from './stateless-side.ts'

/** The parts of a node that serve clients and manage their sessions. */
export interface ClientSide {
  readonly sessions: Sessions
  readonly messages: ClientMessages
  readonly cancels: Cancels
  readonly owed: OwedAnswers
  readonly shared: SharedEndpoints
  readonly stateless: StatelessSide
  readonly front: Front
  readonly shutdown: NodeShutdown
}

export function createClientSide(foundation: Foundation, answering: Answering, options: GatewayOptions): ClientSide {
  const { back, fabric, clock, log, limits, table, tenants, state } = foundation
  const { answer, desk, sessionless, upstream } = answering
  const sessions = createSessions({
    ...foundation,
    upstream,
    endJobs: (id) => desk.endSession(id),
    endVisiting: (id, reason) => shutdown.visiting.end(id, reason),
    hasRecentlyReconnected: () => back.hasRecentlyReconnected(),
  })
  // Immediately: other nodes may have recorded the end of its sessions, and clients may call before the next check.
  back.onReconnect(() => sessions.keeper.wasAway())
  const cancels = new Cancels({ fabric, jobs: desk, log })
  const roots = createRootsChanges(limits.listChangedMs, clock, notifyRootsChanged)
  const messages = createClientMessages({ ...foundation, home: (id) => table.home(id), roots, cancels })
  const owed = createOwedAnswers(foundation)
  const shared = createSharedEndpoints({ ...foundation, sessionless, tenant: (name) => tenants.get(name)?.tenant })
  const dispatching: DispatchParts = {
    ...foundation,
    node: fabric.node,
    answer,
    startTrace: createTraces(),
    deadlines: clock.deadlines,
  }
  const stateless = createStatelessSide(foundation, answering, options)
  const urlOf = (tenant: string): string => `${options.publicUrl ?? ''}/mcp/${tenant}/jobs`
  const front = createFront({
    ...foundation,
    access: options,
    profile: options.profile ?? (() => mcpProfile),
    messageEndpoints: shared.messageEndpoints,
    directory: sessions.directory,
    sessionless,
    stateless: stateless.answer,
    checked: stateless.checked,
    open: new OpenRequests(),
    messages,
    cancels,
    opening: { ...foundation, info: options.info, isRetired: () => state.isRetired, upstream },
    dispatching,
    jobs: desk,
    deferred: createDeferredAnswers({
      ...dispatching,
      ...answering,
      jobs: desk,
      owe: (session) => owed.owe(session),
      urlOf,
    }),
    endSession: (id, reason) => sessions.end(id, reason),
  })
  const shutdown = createNodeShutdown({ ...foundation, ...answering, sessions, stateless })
  return { sessions, messages, cancels, owed, shared, stateless, front, shutdown }
}
