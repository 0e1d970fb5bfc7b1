import type { Outcome } from '@junctor/exchange'
import { isJsonObject, items, member, type Payload, payloadOf } from '@junctor/jsonrpc'
import { methods, type Situation } from '@junctor/protocol'
import { keptOr, removeOldest } from '@junctor/primitives'
import type { BackendEntry } from '../../shared/backend-entry.ts'
import { reasonOf } from '../../shared/errors.ts'
import { prefixIn } from '../../shared/prefix-in.ts'
import type { Caller } from '../../upstream/callers/caller.ts'
import { Call } from '../../upstream/calls/call.ts'
import type { BackendCalls } from '../../upstream/calls/backend-calls.ts'
import type { BackendCatalogue } from '../../upstream/catalogue/backend-catalogue.ts'
import { permitsUri } from '../../shared/name-policy.ts'
import { mapSkill, provenanceOf } from '../../upstream/mapping/map-skill.ts'

/** A skill of a backend's list. */
interface ListedSkill {
  /** With public URIs, and otherwise as the backend has it. */
  readonly item: Payload
  /** The backend's own URI of its `SKILL.md`. */
  readonly uri: string
  /** Its files, under the backend's own URIs. Empty: the skill does not say which it has. */
  readonly files: readonly SkillFile[]
}

/** A file that a skill says it has. */
export interface SkillFile {
  readonly uri: string
  /** In bytes. Undefined: the skill does not say it as a number. */
  readonly size: number | undefined
}

/** The skills that one backend lists for one caller. */
export interface SkillList {
  readonly entry: BackendEntry
  readonly skills: readonly ListedSkill[]
  /** Until when it may be kept, in epoch milliseconds. */
  readonly expires: number
  /** Whether it is the same for every caller, as its backend says. */
  readonly isPublic: boolean
}

/** How long a list without hints is kept, in milliseconds: backends of older revisions give none. */
const usualMs = 60_000
/** A backend that did not answer is asked again after this time, in milliseconds. */
const failedMs = 1_000
/** The most pages that are read of one list. */
const mostPages = 100
/** The most lists that are kept of one backend. */
const keptLists = 1_000

interface Kept {
  readonly list: SkillList
  /** How often the backend had changed before. */
  readonly changes: number
}

/** How backends are asked for their skills, and how a change is noticed. */
export interface SkillListParts {
  readonly calls: Pick<BackendCalls, 'run'>
  readonly catalogue: Pick<BackendCatalogue, 'changes'>
  readonly now: () => number
}

/** The lists of skills of this node's backends, kept for each link as long as their backends allow. */
export class SkillLists {
  readonly #parts: SkillListParts
  /** By backend, then by the scope of the link: a list must not reach a caller that another link serves. */
  readonly #kept = new WeakMap<BackendEntry, Map<string, Kept>>()

  constructor(parts: SkillListParts) {
    this.#parts = parts
  }

  /** The skills of a backend. Empty when the backend fails: lists may be partial (SEP-2640). */
  async of(call: Call, entry: BackendEntry): Promise<SkillList> {
    const { catalogue, now } = this.#parts
    const { key } = call.caller.scope(entry)
    const kept = this.#kept.get(entry)?.get(keyIn(call.caller, key))
    if (kept !== undefined && kept.list.expires > now() && kept.changes === catalogue.changes(entry)) return kept.list
    const changes = catalogue.changes(entry)
    const failed: SkillList = { entry, skills: [], expires: now() + failedMs, isPublic: false }
    const read = await this.#read(call, entry)
    // Others, who share the list, must not lack it because of this caller.
    if (read === 'refused') return failed
    const list = read === 'failed' ? failed : read
    this.#keep(entry, keyIn(call.caller, key), { list, changes })
    return list
  }

  #keep(entry: BackendEntry, key: string, kept: Kept): void {
    const lists = keptOr(this.#kept, entry, () => new Map())
    lists.delete(key)
    lists.set(key, kept)
    removeOldest(lists, keptLists)
  }

  /** Reads all pages. `failed`: the backend failed. `refused`: this call got no answer, and that of another caller may. */
  async #read(call: Call, entry: BackendEntry): Promise<SkillList | 'failed' | 'refused'> {
    const { tenant } = call.caller
    const prefix = prefixIn(tenant, entry)
    const provenance = provenanceOf(tenant, entry)
    const skills = new Map<string, ListedSkill>()
    const cursors = new Set<string>()
    let cursor: string | undefined
    let expires = Infinity
    let isPublic = true
    for (let page = 0; page < mostPages; page += 1) {
      const outcome = await this.#page(call, entry, cursor)
      if (outcome.kind !== 'complete') return isOfCaller(outcome) ? 'refused' : 'failed'
      const { result } = outcome
      const value = result.value()
      const listed = member(result, 'skills')
      if (!isJsonObject(value) || listed === undefined) return 'failed'
      const found = items(listed).flatMap((item) => readSkill(item, prefix, provenance) ?? [])
      const mayUse = ({ uri }: Pick<SkillFile, 'uri'>): boolean => permitsUri(tenant.resources, entry.backend.name, uri)
      for (const skill of found.filter(mayUse)) {
        skills.set(skill.uri, { ...skill, files: skill.files.filter(mayUse) })
      }
      const { ttlMs, cacheScope, nextCursor } = value
      const keepMs = typeof ttlMs === 'number' && ttlMs >= 0 ? ttlMs : usualMs
      expires = Math.min(expires, this.#parts.now() + keepMs)
      isPublic &&= cacheScope === 'public'
      if (typeof nextCursor !== 'string' || cursors.has(nextCursor)) break
      cursors.add(nextCursor)
      cursor = nextCursor
    }
    return { entry, skills: [...skills.values()], expires, isPublic }
  }

  #page(call: Call, entry: BackendEntry, cursor: string | undefined): Outcome | Promise<Outcome> {
    const params = payloadOf(cursor === undefined ? {} : { cursor })
    const request = { ...call.request, method: methods.skillsList, params }
    return this.#parts.calls.run(new Call(call.caller, request, call.exchange), entry, request)
  }
}

/** The situations of a call that say nothing about its backend. */
const ofCaller: ReadonlySet<unknown> = new Set<Situation>(['cancelled', 'too_many_requests', 'session_unknown'])

function isOfCaller(outcome: Outcome): boolean {
  return ofCaller.has(reasonOf(outcome))
}

/** The same backend has other prefixes for other tenants that share its link. */
function keyIn(caller: Caller, scope: string): string {
  return `${caller.tenant.tenant.name} ${scope}`
}

/** Undefined: hosts must not load it, because it is no skill. */
function readSkill(item: Payload, prefix: string, provenance: string | undefined): ListedSkill | undefined {
  const value = item.value()
  if (!isJsonObject(value) || typeof value['uri'] !== 'string') return undefined
  const { resources } = value
  const files = Array.isArray(resources) ? resources : []
  return {
    item: mapSkill(item, prefix, provenance),
    uri: value['uri'],
    files: files.flatMap((file) => {
      if (!isJsonObject(file) || typeof file['uri'] !== 'string') return []
      return [{ uri: file['uri'], size: typeof file['size'] === 'number' ? file['size'] : undefined }]
    }),
  }
}
