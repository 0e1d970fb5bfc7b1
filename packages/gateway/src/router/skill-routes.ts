import type { Outcome } from '@junctor/exchange'
import { edit, isJsonObject, items, type JsonObject, member, memberOf, type Payload, payloadOf } from '@junctor/jsonrpc'
import { allows, mcpExtensions, uriFor } from '@junctor/protocol'
import type { BackendEntry } from '../shared/backend-entry.ts'
import { prefixIn } from '../shared/prefix-in.ts'
import { Call } from '../upstream/calls/call.ts'
import { failed } from '../upstream/calls/failed.ts'
import { extensionsOf } from '../upstream/catalogue/extension-union.ts'
import { hidesNames, permitsUri } from '../shared/name-policy.ts'
import { mapResources, mapSkill, provenanceOf } from '../upstream/mapping/map-skill.ts'
import type { CallerView } from '../upstream/callers/caller-view.ts'
import type { MethodRoute, RouterParts } from './method-route.ts'
import { refuseOverRate } from './refuse-over-rate.ts'
import { cursorOf, unknownCursor } from './list-cursor.ts'
import { textParam } from './params.ts'
import { ambiguous } from './resource-route.ts'
import { childrenOf, type DirectoryChild } from './skills/directory.ts'
import { skillBackends, skillOwners, type SkillOwner } from './skills/skill-owner.ts'
import type { SkillList, SkillLists } from './skills/skill-lists.ts'
import { skillPage } from './skills/skill-page.ts'

/** What the routes of skills need. */
export interface SkillParts extends Pick<RouterParts, 'views' | 'calls' | 'limits' | 'rates' | 'now'> {
  readonly lists: SkillLists
}

/** The skills of a caller's backends. */
interface Skills {
  readonly call: Call
  readonly callerView: CallerView
  readonly lists: readonly SkillList[]
}

/** `skills/list`: the skills of all backends that have some (SEP-2640). A backend that fails is left out. */
export function skillListRoute(parts: SkillParts): MethodRoute {
  return withSkills(parts, ({ call, lists }) => {
    const page = skillPage(lists, cursorOf(call.request), { pageItems: parts.limits.pageItems, now: parts.now() })
    if (page === undefined) return unknownCursor(call)
    const { result, hints } = page
    const isCacheable = allows(call.exchange.context.revision, 'cacheHints')
    return { kind: 'complete', result: isCacheable ? edit(result, hints) : result }
  })
}

/** `skills/get`: one skill, listed or not, from the backend that owns its URI. */
export function skillGetRoute(parts: SkillParts): MethodRoute {
  return withSkills(parts, async ({ call, callerView, lists }) => {
    const read = textParam(call, 'uri')
    if (read.kind === 'bad') return read.outcome
    const owners = skillOwners(call.caller.tenant, lists, read.text)
    const anyBackend = () => skillBackends(callerView).map((entry) => ({ entry, uri: read.text }))
    const asked = (owners.length > 0 ? owners : anyBackend()).filter((owner) => mayUse(call, owner))
    const answers = await askOwners(parts, call, asked)
    const found = answers.filter(({ outcome }) => outcome.kind === 'complete')
    const owning = found.map(({ owner }) => owner)
    if (found.length > 1) return ambiguous(call, read.text, candidates(call, owning))
    const [one] = found
    if (one !== undefined) return mapGot(call, one.owner, one.outcome)
    const [only] = answers
    return only !== undefined && answers.length === 1 ? only.outcome : unknown(call, read.text)
  })
}

/**
 * `resources/directory/read`: the children of a directory, from the backend that owns its URI. For a backend that lists
 * no directories, they are those of the files that its skills have.
 */
export function directoryReadRoute(parts: SkillParts): MethodRoute {
  return withSkills(parts, async ({ call, callerView, lists }) => {
    const read = textParam(call, 'uri')
    if (read.kind === 'bad') return read.outcome
    const root = rootOf(call, lists, read.text)
    const owners = root === undefined ? directoryOwners(call, lists, read.text) : [root]
    const [owner] = owners
    if (owner === undefined) return unknown(call, read.text)
    if (owners.length > 1) return ambiguous(call, read.text, candidates(call, owners))
    const server = callerView.view.servers.get(owner.entry)
    const isListed =
      root === undefined && memberOf(extensionsOf({ server })[mcpExtensions.skills], 'directoryRead') === true
    const prefix = prefixIn(call.caller.tenant, owner.entry)
    if (isListed) {
      const outcome = await askOwner(parts, call, owner)
      const resources = outcome.kind === 'complete' ? member(outcome.result, 'resources') : undefined
      if (outcome.kind !== 'complete' || resources === undefined) return outcome
      const kept = permittedItems(call, owner.entry, resources)
      return { kind: 'complete', result: edit(outcome.result, { resources: mapResources(kept, prefix) }) }
    }
    const children = childrenAt(lists, owner)
    if (children === undefined) return unknown(call, read.text)
    return { kind: 'complete', result: payloadOf({ resources: children.map((child) => publicChild(child, prefix)) }) }
  })
}

/** Runs a route with the lists of all backends that have skills. Without any such backend, the method is not found. */
function withSkills(
  { views, lists, rates }: SkillParts,
  answer: (skills: Skills) => Outcome | Promise<Outcome>,
): MethodRoute {
  return async (call) => {
    const callerView = await views.of(call.caller)
    const backends = skillBackends(callerView)
    if (backends.length === 0) return failed(call, 'method_not_found', { name: call.request.method })
    const refused = refuseOverRate(rates, call, undefined)
    if (refused !== undefined) return refused
    return answer({ call, callerView, lists: await Promise.all(backends.map((entry) => lists.of(call, entry))) })
  }
}

/** Whether the policy of the tenant has a skill, file or directory. */
function mayUse({ caller }: Call, { entry, uri }: SkillOwner): boolean {
  return permitsUri(caller.tenant.resources, entry.backend.name, uri)
}

/** The items of a directory that the policy of the tenant has. */
function permittedItems(call: Call, entry: BackendEntry, resources: Payload): Payload {
  if (!hidesNames(call.caller.tenant.resources)) return resources
  const kept = items(resources).flatMap((item) => {
    const value = item.value()
    if (!isJsonObject(value) || typeof value['uri'] !== 'string') return []
    return mayUse(call, { entry, uri: value['uri'] }) ? [value] : []
  })
  return payloadOf(kept)
}

interface OwnerAnswer {
  readonly owner: SkillOwner
  readonly outcome: Outcome
}

/** Sends the request to each backend. Events name a backend as the one that has answered only if it is the only one. */
function askOwners(parts: SkillParts, call: Call, owners: readonly SkillOwner[]): Promise<readonly OwnerAnswer[]> {
  const ownCall = () => (owners.length === 1 ? call : new Call(call.caller, call.request, call.exchange))
  return Promise.all(owners.map(async (owner) => ({ owner, outcome: await askOwner(parts, ownCall(), owner) })))
}

/** Sends the request to one backend, with the URI as the backend has it. */
function askOwner({ calls }: SkillParts, call: Call, { entry, uri }: SkillOwner): Outcome | Promise<Outcome> {
  const params = edit(call.request.params ?? payloadOf({}), { uri })
  return calls.run(call, entry, { ...call.request, params })
}

function mapGot({ caller, exchange }: Call, { entry }: SkillOwner, outcome: Outcome): Outcome {
  const skill = outcome.kind === 'complete' ? member(outcome.result, 'skill') : undefined
  if (outcome.kind !== 'complete' || skill === undefined) return outcome
  const { tenant } = caller
  const shown = mapSkill(skill, prefixIn(tenant, entry), provenanceOf(tenant, entry))
  const mapped = edit(outcome.result, { skill: shown })
  const isCacheable = allows(exchange.context.revision, 'cacheHints')
  return { kind: 'complete', result: isCacheable ? mapped : edit(mapped, { ttlMs: undefined, cacheScope: undefined }) }
}

/** All skills of a backend have its prefix as the first segment: this is their directory. */
function rootOf({ caller }: Call, lists: readonly SkillList[], uri: string): SkillOwner | undefined {
  const named = uri.replace(/\/$/, '')
  const list = lists.find(({ entry }) => {
    const prefix = prefixIn(caller.tenant, entry)
    return prefix !== '' && named === `skill://${prefix}`
  })
  return list === undefined ? undefined : { entry: list.entry, uri: 'skill://' }
}

/** The owners of a directory: it has no entry of its own, but files below it. */
function directoryOwners(call: Call, lists: readonly SkillList[], uri: string): readonly SkillOwner[] {
  const { tenant } = call.caller
  const [owner] = skillOwners(tenant, lists, uri)
  const below = lists.filter((list) => childrenIn(list, uri) !== undefined)
  if (owner !== undefined) {
    const isOwn = below.some(({ entry }) => entry === owner.entry)
    return [isOwn && childrenAt(lists, owner) === undefined ? { ...owner, uri } : owner]
  }
  return below.map(({ entry }) => ({ entry, uri }))
}

/** The children of a directory of a backend. `undefined`: no file of its skills is below it. */
function childrenAt(lists: readonly SkillList[], { entry, uri }: SkillOwner): ReturnType<typeof childrenOf> {
  const list = lists.find((one) => one.entry === entry)
  return list && childrenIn(list, uri)
}

/** The children of a directory among the files of a backend's skills. */
function childrenIn({ skills }: SkillList, uri: string): ReturnType<typeof childrenOf> {
  const files = skills.flatMap((one) => one.files)
  return childrenOf(uri, files)
}

function publicChild(child: DirectoryChild, prefix: string): JsonObject {
  return { ...child, uri: uriFor(prefix, child.uri) }
}

function candidates({ caller }: Call, owners: readonly SkillOwner[]): readonly string[] {
  return owners.map(({ entry, uri }) => uriFor(prefixIn(caller.tenant, entry), uri)).toSorted()
}

function unknown(call: Call, uri: string): Outcome {
  return failed(call, 'invalid_params', { message: `Unknown skill or directory: ${uri}` })
}
