import type { Outcome } from '@junctor/exchange'
import type { Payload } from '@junctor/jsonrpc'
import { downgradeResult, embedCustom, passedOn, type Profile } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { mapResult } from '../mapping/map-result.ts'
import { hasPlainContent } from '../mapping/plain-content.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { Call } from './call.ts'

/**
 * A backend's outcome with public names, with only what the caller's revision supports, and with errors as the tenant's
 * profile shows them.
 */
export function mapOutcome({ request, caller, exchange }: Call, entry: BackendEntry, outcome: Outcome): Outcome {
  const { profile } = caller.tenant.tenant
  const { revision } = exchange.context
  const { method, dialect } = request
  if (outcome.kind === 'error') {
    const error = passedOn(outcome.error, { revision, dialect, profile })
    return error === outcome.error ? outcome : { kind: 'error', error }
  }
  if (outcome.kind !== 'complete') return outcome
  const mapped = hasPlainContent(method, outcome.result)
    ? outcome.result
    : withKnownTypes(profile, method, mapResult(method, prefixIn(caller.tenant, entry), outcome.result))
  // A tool that called this one gets everything; what the client's revision lacks is removed from its own result.
  const result = exchange.context.chain === undefined ? downgradeResult(method, mapped, revision) : mapped
  return result === outcome.result ? outcome : { kind: 'complete', result }
}

function withKnownTypes({ customContent }: Profile, method: string, result: Payload): Payload {
  return customContent ? result : embedCustom(method, result)
}
