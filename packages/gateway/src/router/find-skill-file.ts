import { uriFor } from '@junctor/protocol'
import { prefixIn } from '../shared/prefix-in.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { Call } from '../upstream/calls/call.ts'
import { matchOf, type RouteMatch } from '../upstream/catalogue/route-match.ts'
import { permitted } from './resource-route.ts'
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
): RouteMatch | Promise<RouteMatch> {
  const backends = skillBackends(callerView)
  if (backends.length === 0) return { kind: 'none' }
  return Promise.all(backends.map((entry) => lists.of(call, entry))).then((known) =>
    permitted(call.caller.tenant, matchIn(known, call, uri)),
  )
}

function matchIn(known: readonly SkillList[], call: Call, uri: string): RouteMatch {
  const { tenant } = call.caller
  return matchOf(
    skillOwners(tenant, known, uri).map((owner) => ({
      entry: owner.entry,
      name: owner.uri,
      shown: uriFor(prefixIn(tenant, owner.entry), owner.uri),
    })),
  )
}
