import type { Outcome } from '@junctor/exchange'
import type { CallRates } from '../rates/call-rates.ts'
import { rateDetails } from '../rates/rate-refusal.ts'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import { qualifiedNameOf } from '../upstream/catalogue/tool-names.ts'
import type { Route } from '../upstream/catalogue/tenant-view.ts'

/**
 * Counts a request that is about to go to a backend. Returns the error when it is over a rate; `undefined`: it may go.
 * The request of a job was counted when it was submitted, but not the calls of other tools that it makes.
 *
 * @param entry undefined: the request may go to several backends
 * @param tool the tool that it calls
 */
export function refuseOverRate(
  rates: CallRates,
  call: Call,
  entry: BackendEntry | undefined,
  tool?: Route,
): Outcome | undefined {
  const { rates: own } = call.caller.tenant
  if (own === undefined || entry?.builtIn === true) return undefined
  const { principal, counted, chain } = call.exchange.context
  if (counted === true && chain === undefined) return undefined
  const refusal = rates.take(own, { principal, tool: tool && qualifiedNameOf(tool) })
  return refusal && failed(call, 'too_many_requests', rateDetails(refusal))
}
