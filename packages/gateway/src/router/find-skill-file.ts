import { uriFor } from '@junctor/protocol'
import { prefixIn } from '../shared/prefix-in.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { Call } from '../upstream/calls/call.ts'
import { permitted, type ResourceRoute } from './resource-route.ts'
import { skillBackends, skillOwners } from './skills/skill-owner.ts'
import type { SkillList, SkillLists } from './skills/skill-lists.ts'

/**
 * The backend whose skills have a file with this URI. Skills name files by the backends' own URIs, and need not list
 * them as resources (SEP-2640).
 */
export function findSkillFile(
  lists: SkillLists,
  call: Call,
  callerView: CallerView,
  uri: string,
): ResourceRoute | Promise<ResourceRoute> {
  const backends = skillBackends(callerView)
  if (backends.length === 0) return { kind: 'unknown' }
  return Promise.all(backends.map((entry) => lists.of(call, entry))).then((known) =>
    permitted(call.caller.tenant, routeIn(known, call, uri)),
  )
}

function routeIn(known: readonly SkillList[], call: Call, uri: string): ResourceRoute {
  const { tenant } = call.caller
  const owners = skillOwners(tenant, known, uri).map((owner) => ({
    entry: owner.entry,
    name: owner.uri,
    shown: uriFor(prefixIn(tenant, owner.entry), owner.uri),
  }))
  const [route] = owners
  if (route === undefined) return { kind: 'unknown' }
  return owners.length === 1
    ? { kind: 'route', route }
    : { kind: 'several', candidates: owners.map(({ shown }) => shown).toSorted() }
}
