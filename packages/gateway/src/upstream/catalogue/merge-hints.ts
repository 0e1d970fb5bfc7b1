import type { ListKind } from '@junctor/contracts'
import { declares } from '@junctor/protocol'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { isForAllCallers } from './is-for-all-callers.ts'
import { type Policies, policyOf } from '../../shared/name-policy.ts'
import { type KeptUntil, listKinds, type Snapshot } from './snapshot.ts'

/** The capability of a server that has the list. */
const capabilities: Readonly<Record<ListKind, string>> = {
  tools: 'tools',
  resources: 'resources',
  resourceTemplates: 'resources',
  prompts: 'prompts',
}

interface HintedPart {
  readonly entry: Pick<BackendEntry, 'backend' | 'builtIn'>
  readonly snapshot: Pick<Snapshot, 'hints' | 'server'>
}

/**
 * How long merged lists may be kept, and by whom: the least of the backends that have such a list (2026-07-28, Caching). A
 * list that a policy has filtered, or that a backend gave with the account of a person, is for its callers alone.
 */
export function mergeHints(
  tenant: Policies,
  parts: readonly HintedPart[],
): Readonly<Partial<Record<ListKind, KeptUntil>>> {
  const merged: Partial<Record<ListKind, KeptUntil>> = {}
  for (const kind of listKinds) {
    const listing = parts.filter(
      ({ entry, snapshot }) => entry.builtIn !== true && declares(snapshot.server.capabilities, [capabilities[kind]]),
    )
    const hints = listing.map(({ snapshot }) => snapshot.hints[kind])
    const known = hints.filter((one) => one !== undefined)
    if (known.length === 0 || known.length < hints.length) continue
    const policy = policyOf(tenant, kind)
    const isForAll = listing.every(({ entry }) => isForAllCallers(policy, entry))
    merged[kind] = {
      expires: Math.min(...known.map(({ expires }) => expires)),
      isPublic: isForAll && known.every(({ isPublic }) => isPublic),
    }
  }
  return merged
}
