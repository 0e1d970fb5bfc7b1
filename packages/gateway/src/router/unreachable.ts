import type { Outcome } from '@junctor/exchange'
import type { BackendEntry } from '../shared/backend-entry.ts'
import type { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import { type CallerView, missingOf } from '../upstream/callers/caller-view.ts'
import { possibleOwner } from '../upstream/callers/possible-owner.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import type { RouterParts } from './method-route.ts'

type Views = Pick<RouterParts['views'], 'retryAfterMs' | 'failsToList'>

/**
 * The answer to an unknown name that may be of a backend that cannot be reached: "unavailable, try again" is more
 * accurate than "unknown". `undefined`: no such backend exists.
 */
export function unreachableOwner(
  views: Views,
  call: Call,
  seen: Pick<CallerView, 'missing'>,
  kind: 'tools' | 'prompts',
  name: string,
): Outcome | undefined {
  const owner = possibleOwner(call.caller.tenant, missingOf(seen, kind), name)
  return owner === undefined ? undefined : unreachable(views, call, owner)
}

/** The same for an unknown URI. One with the prefix of a backend is never unknown. */
export function unreachableResource(views: Views, call: Call, seen: Pick<CallerView, 'missing'>): Outcome | undefined {
  const { tenant } = call.caller
  const missing = [...missingOf(seen, 'resources'), ...missingOf(seen, 'resourceTemplates')]
  const owner = missing.find((entry) => prefixIn(tenant, entry) === '')
  return owner === undefined ? undefined : unreachable(views, call, owner)
}

const unlisted = 'The backend does not list what it offers'

/** The error for a request for something of a backend whose lists are not known. */
function unreachable(views: Views, call: Call, entry: BackendEntry): Outcome {
  const data = { retryAfterMs: views.retryAfterMs(call.caller, entry) }
  const message = views.failsToList(call.caller, entry) ? { message: unlisted } : {}
  return failed(call, 'backend_unavailable', { backend: entry.backend.name, data, ...message })
}
