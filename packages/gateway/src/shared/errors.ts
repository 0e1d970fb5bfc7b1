import type { CallContext, ErrorOutcome, Loss, Outcome } from '@junctor/exchange'
import { type Dialect, isJsonObject, type JsonObject, type WireError } from '@junctor/jsonrpc'
import { type ErrorDetails, mcpProfile, type Profile, type Situation, wireError } from '@junctor/protocol'

/** An error for a peer with this context, dialect and profile. */
export function errorFor(
  context: Pick<CallContext, 'revision'>,
  dialect: Dialect,
  profile: Profile,
  situation: Situation,
  details?: ErrorDetails,
): WireError {
  return wireError(situation, { revision: context.revision, dialect, profile }, details)
}

/** An error for a backend. The gateway answers a backend's requests as the MCP specification says. */
export function backendError(
  context: Pick<CallContext, 'revision'>,
  situation: Situation,
  message?: string,
): WireError {
  return errorFor(context, '2.0', mcpProfile, situation, message === undefined ? undefined : { message })
}

/** That error as the outcome of a request. */
export function errorOutcome(
  context: Pick<CallContext, 'revision'>,
  situation: Situation,
  message?: string,
): ErrorOutcome {
  return { kind: 'error', error: backendError(context, situation, message) }
}

/** The outcome of a call whose way to its backend was lost. */
export type LostOutcome = ErrorOutcome & { readonly loss: Loss }

/**
 * Whether the way of a call to its backend was lost: its backend has not answered.
 *
 * @param outcome of a backend, whose code may give anything
 */
export function isLost(outcome: Outcome | undefined): outcome is LostOutcome {
  return outcome?.kind === 'error' && outcome.loss !== undefined
}

/** `data` of an error, from the gateway or from a backend. Empty when it has none that is an object. */
export function errorData(outcome: Outcome): JsonObject {
  const data = outcome.kind === 'error' ? outcome.error.data?.value() : undefined
  return isJsonObject(data) ? data : {}
}

/** Why a call failed: `data.reason` of the error. `undefined`: there is none. */
export function reasonOf(outcome: Outcome): unknown {
  return errorData(outcome)['reason']
}
