import {
  type ErrorDetails,
  type Exchange,
  type Loss,
  mcpProfile,
  type Outcome,
  type Request,
  type Situation,
  type WireError,
  wireError,
} from '@junctor/plugin-sdk/link'

/** The outcome of a call that failed, in the form for its caller. */
export function failedCall(
  request: Request,
  exchange: Exchange,
  situation: Situation,
  details: ErrorDetails & { readonly backend: string },
): Extract<Outcome, { kind: 'error' }> {
  const view = { revision: exchange.context.revision, dialect: request.dialect, profile: mcpProfile }
  return { kind: 'error', error: wireError(situation, view, details) }
}

/** The outcome of a call whose link or connection was lost, in the form for its caller. */
export function lostCall(request: Request, exchange: Exchange, loss: Loss, backend: string): Outcome {
  const situation = loss === 'unsent' ? 'backend_unavailable' : 'backend_exited'
  return { ...failedCall(request, exchange, situation, { backend }), loss }
}

/** An error for an upstream server. All of them use JSON-RPC 2.0. */
export function upstreamError(situation: Situation, name: string): WireError {
  return wireError(situation, { revision: undefined, dialect: '2.0', profile: mcpProfile }, { name })
}
