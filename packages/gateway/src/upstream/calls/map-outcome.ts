import type { Outcome } from '@junctor/exchange'
import { edit, mayHave, memberOf, type Payload, type WireError } from '@junctor/jsonrpc'
import {
  type ClientRequest,
  downgradeResult,
  embedCustom,
  eraOf,
  methods,
  passedOn,
  type Profile,
  type Revision,
} from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { isForAllCallers } from '../catalogue/is-for-all-callers.ts'
import { mapResult } from '../mapping/map-result.ts'
import { viewDomainsOf } from '../mapping/view-domain.ts'
import { hasPlainContent } from '../mapping/plain-content.ts'
import { askerIn, prefixIn } from '../../shared/prefix-in.ts'
import { mapAsk } from '../mapping/map-ask.ts'
import { bindState } from './bound-state.ts'
import type { Call } from './call.ts'
import { capabilityMissing } from './capability-missing.ts'
import { failed } from './failed.ts'
import { judgeResult } from './judge-result.ts'

/**
 * A backend's outcome with public names, with only what the caller's revision supports, and with errors as the tenant's
 * profile shows them. A call that failed because its client of 2026-07-28 lacks a capability says so (Base Protocol,
 * "_meta").
 *
 * @param from the revision of the backend's server
 * @throws TypeError when a plugin gives something else than an outcome
 */
export function mapOutcome(call: Call, entry: BackendEntry, outcome: Outcome, from: Revision): Outcome {
  const { request, caller, exchange, missing } = call
  const { tenant } = caller
  const { profile } = tenant.tenant
  const { revision } = exchange.context
  if (missing !== undefined && eraOf(revision) === 'modern' && hasFailed(outcome)) {
    return capabilityMissing(call, missing)
  }
  const { method, dialect } = request
  if (outcome.kind === 'error') {
    checkError(outcome.error)
    const error = passedOn(outcome.error, { revision, dialect, profile })
    return error === outcome.error ? outcome : { kind: 'error', error }
  }
  if (outcome.kind === 'input_required') return mapQuestions(call, entry, outcome)
  const judged = judgeResult(method, outcome.result, from, exchange.context)
  if (judged.kind === 'bad') return noResult(call, entry, judged.message)
  const result = inOwnScope(call, entry, shownResult(call, entry, judged.result, from))
  return result === outcome.result ? outcome : { kind: 'complete', result }
}

/** An error is printed member by member: one with others would be no JSON. */
function checkError({ code, message, data }: Partial<WireError>): void {
  if (Number.isInteger(code) && typeof message === 'string' && (data === undefined || typeof data.value === 'function'))
    return
  throw new TypeError('expected an error with an integer code, a text message and perhaps a payload as data')
}

/** A result with public names, and only what the caller's revision supports. */
function shownResult(
  { request: { method }, caller: { tenant }, exchange }: Call,
  entry: BackendEntry,
  own: Payload,
  from: Revision,
): Payload {
  const { revision, chain } = exchange.context
  const shown = hasPlainContent(method, own)
    ? own
    : withKnownTypes(
        tenant.tenant.profile,
        method,
        mapResult(method, prefixIn(tenant, entry), own, viewDomainsOf(tenant, entry)),
      )
  // A tool that called this one gets everything; what the client's revision lacks is removed from its own result.
  return chain === undefined ? downgradeResult(method, shown, revision, from) : shown
}

/** The methods whose results say for whom caches may keep them, and that the policy of resources applies to. */
const scoped: ReadonlySet<string> = new Set([
  methods.resourcesRead,
  methods.resourcesDirectoryRead,
  methods.skillsList,
  methods.skillsGet,
])

/** A result that its backend calls public, as private if it is not for every caller. */
function inOwnScope({ request, caller }: Call, entry: BackendEntry, result: Payload): Payload {
  if (!scoped.has(request.method) || isForAllCallers(caller.tenant.resources, entry)) return result
  if (!mayHave(result, 'cacheScope')) return result
  return memberOf(result.value(), 'cacheScope') === 'public' ? edit(result, { cacheScope: 'private' }) : result
}

/** The error for something that is not a result. */
function noResult(call: Call, { backend: { name } }: BackendEntry, problem: string): Outcome {
  const message = `The backend sent no valid result: ${problem}`
  return failed(call, 'tool_failed', { backend: name, message, ...(call.tool !== undefined && { name: call.tool }) })
}

/** The questions in a result of a backend, in the form for the client. One that it must not get makes the call fail. */
function mapQuestions(
  call: Call,
  entry: BackendEntry,
  { requests, state, ...rest }: Extract<Outcome, { kind: 'input_required' }>,
): Outcome {
  const asker = askerIn(call.caller.tenant, entry)
  const mapped: [string, ClientRequest][] = []
  for (const [key, request] of Object.entries(requests)) {
    const question = mapAsk(asker, call.exchange.context, request)
    if (question.kind === 'refused') {
      const { situation, message, required } = question.verdict
      if (required !== undefined) return capabilityMissing(call, required)
      return failed(call, situation, { message })
    }
    mapped.push([key, question.request])
  }
  return { ...rest, requests: Object.fromEntries(mapped), state: bindState(entry, state) }
}

/** Whether a backend could not do without an answer of the client: it gives an error, in either form. */
function hasFailed(outcome: Outcome): boolean {
  if (outcome.kind !== 'complete') return outcome.kind === 'error'
  return memberOf(outcome.result.value(), 'isError') === true
}

function withKnownTypes({ customContent }: Profile, method: string, result: Payload): Payload {
  return customContent ? result : embedCustom(method, result)
}
