import type { Handler, Outcome } from '@junctor/exchange'
import { methods } from '@junctor/protocol'
import type { Seal } from '@junctor/contracts'
import { andThen } from '@junctor/primitives'
import type { BackendSide } from './backend-side.ts'
import type { NodeParts } from './node-parts.ts'
import { createStatelessHandler } from './front/stateless/answer-stateless.ts'
import { createHeaderCheck, type HeaderCheck } from './front/stateless/check-parameters.ts'
import { createDiscover } from './front/stateless/discover.ts'
import { createListen } from './front/listen/listen.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { ParkedRequests } from './stateless/parked-requests.ts'
import { sealState } from './stateless/sealed-state.ts'

/** The parts of a node that serve clients of 2026-07-28. */
export interface StatelessSide {
  /** Answers their requests. */
  readonly answer: Handler
  /** The same for requests with headers. */
  readonly answerWithHeaders: HeaderCheck
  readonly parked: ParkedRequests
  /** Ends the subscriptions, because the node leaves: their clients may listen at another node. */
  endListening(): void
}

/** Creates the side of clients without a session (2026-07-28). */
export function createStatelessSide(
  nodeParts: NodeParts,
  { answer, sessionless, upstream, listeners, desk: jobs }: BackendSide,
  { info }: Pick<GatewayOptions, 'info'>,
): StatelessSide {
  const { fabric, limits, tenants, clock } = nodeParts
  const { askTimeoutMs, instructions } = limits
  const sealing = sealQuestions(answer, fabric.seal, fabric.now)
  const parked = new ParkedRequests({ ...nodeParts, node: fabric.node, answer: sealing, askTimeoutMs })
  const ownHandlers = {
    [methods.serverDiscover]: createDiscover({ tenants, upstream, instructions }),
    [methods.subscriptionsListen]: createListen({ listeners, upstream, jobs, clock, tenants }),
  }
  const stateless = createStatelessHandler({ ...nodeParts, answer: sealing, parked, info, ownHandlers })
  return {
    answer: stateless,
    answerWithHeaders: createHeaderCheck({ views: upstream.views, sessionless, answer: stateless }),
    parked,
    endListening: () => listeners.endAll(),
  }
}

/** Answers requests, with the states of backends sealed. Must wrap a handler once. */
function sealQuestions(answer: Handler, seal: Seal, now: () => number): Handler {
  return (request, exchange) =>
    andThen(answer(request, exchange), (outcome): Outcome => {
      if (outcome.kind !== 'input_required') return outcome
      return { ...outcome, state: sealState(seal, exchange.context, request, outcome.state, now()) }
    })
}
