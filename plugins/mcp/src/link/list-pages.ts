import {
  declares,
  items,
  JunctorError,
  type ListKind,
  member,
  memberOf,
  methods,
  type Payload,
  payloadOf,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import type { Ask } from './ask.ts'

/** For each kind: the server capability, the method, the member of the result, and that which names an item. */
const lists = {
  tools: { capability: 'tools', method: methods.toolsList, member: 'tools', name: 'name' },
  resources: { capability: 'resources', method: methods.resourcesList, member: 'resources', name: 'uri' },
  resourceTemplates: {
    capability: 'resources',
    method: methods.resourcesTemplatesList,
    member: 'resourceTemplates',
    name: 'uriTemplate',
  },
  prompts: { capability: 'prompts', method: methods.promptsList, member: 'prompts', name: 'name' },
} as const

/** The largest number of pages: no real server has more. */
const maxPages = 1_000

/** The largest number of items on all pages together: no real server has more. */
const maxItems = 100_000

/** How long further pages are asked for, in milliseconds: less than the gateway waits for a whole list. */
const maxMs = 10_000

const methodNotFound = -32601

/** A list, as far as the server gave it. */
export interface ListedPages {
  readonly items: readonly Payload[]
  /** What the server did wrong, although the items can be used. */
  readonly problem: string | undefined
}

/**
 * The list of a kind, all pages. Empty when the server does not declare the kind, or does not know the method: many
 * servers with resources have no templates. A cursor that came before, and an empty one that the server does not take,
 * end the list. A list that does not end is cut. In all these cases `problem` says so. An item that a later page names
 * again is in the list once, as that page has it: the list has changed while it was read, or the server ignores cursors.
 *
 * Rejects with a JunctorError when the server fails, or a page is not a page.
 *
 * @param seen called with the result of each page
 */
export async function listPages(
  kind: ListKind,
  server: ServerInfo,
  ask: Ask,
  seen?: (page: Payload) => void,
): Promise<ListedPages> {
  const list = lists[kind]
  const found = new Map<unknown, readonly Payload[]>()
  const all = (): readonly Payload[] => [...found.values()].flat()
  if (!declares(server.capabilities, [list.capability])) return { items: all(), problem: undefined }
  const cursors = new Set<string>()
  const began = performance.now()
  let cursor: string | undefined
  let count = 0
  for (let pages = 1; ; pages += 1) {
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    const response = await ask(list.method, cursor === undefined ? undefined : payloadOf({ cursor }))
    if (response.kind === 'error') {
      const { code, message } = response.error
      if (code === methodNotFound && pages === 1) return { items: all(), problem: undefined }
      if (cursor === '') return { items: all(), problem: `${list.method}: ${refusedEmpty}` }
      throw new JunctorError('BACKEND_REFUSED', `${list.method} failed with ${code}: ${message}`)
    }
    seen?.(response.result)
    const page = pageItems(response.result, list.method, list.member)
    count += page.length
    for (const [name, named] of Map.groupBy(page, (item) => nameOf(item, list.name))) found.set(name, named)
    cursor = nextCursor(response.result, list.method)
    const problem = problemOf({ pages, items: count, ms: performance.now() - began, cursor, cursors })
    if (problem !== undefined) {
      return { items: all().slice(0, maxItems), problem: `${list.method}: ${problem}` }
    }
    if (cursor === undefined) return { items: all(), problem: undefined }
    cursors.add(cursor)
  }
}

/** An empty cursor is one like any other (2026-07-28, Pagination), but some servers mark the end of a list so. */
const refusedEmpty = 'expected no "nextCursor" on the last page, got an empty one; the list ends there'

/** A list so far. */
interface ListSoFar {
  readonly pages: number
  readonly items: number
  /** Since the first page was asked for. */
  readonly ms: number
  readonly cursor: string | undefined
  /** The cursors of the earlier pages. */
  readonly cursors: ReadonlySet<string>
}

/** Why the list ends after this page although the server does not say so correctly. `undefined`: it does not. */
function problemOf({ pages, items: count, ms, cursor, cursors }: ListSoFar): string | undefined {
  if (count > maxItems) return `expected at most ${maxItems} items, got more; the list is cut there`
  if (cursor === undefined) return undefined
  if (cursors.has(cursor)) return `page ${pages} gave a "nextCursor" of an earlier page; the list ends there`
  if (pages >= maxPages) return `expected at most ${maxPages} pages, got more; the list is cut there`
  if (ms >= maxMs) return `expected all pages within ${maxMs / 1000} seconds, got ${pages}; the list is cut there`
  return undefined
}

/** What names an item on every page; an item without a name is like no other. */
function nameOf(item: Payload, name: string): unknown {
  const text = memberOf(item.value(), name)
  return typeof text === 'string' ? text : item
}

/** Null counts as empty: some servers write a list without items so. */
function pageItems(result: Payload, method: string, name: string): readonly Payload[] {
  const page = member(result, name)
  if (page?.value() === null) return []
  if (page === undefined || !Array.isArray(page.value())) {
    throw new JunctorError('PROTOCOL_VIOLATED', `Expected the result of ${method} to have an array "${name}"`)
  }
  return items(page)
}

/** The cursor of the next page. Null counts as absent: some servers send null for absent members. */
function nextCursor(result: Payload, method: string): string | undefined {
  const cursor = memberOf(result.value(), 'nextCursor') ?? undefined
  if (cursor === undefined || typeof cursor === 'string') return cursor
  throw new JunctorError('PROTOCOL_VIOLATED', `Expected the "nextCursor" of ${method} to be text, got ${typeof cursor}`)
}
