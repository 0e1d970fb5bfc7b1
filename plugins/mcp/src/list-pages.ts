import {
  declares,
  isJsonObject,
  items,
  JunctorError,
  type ListKind,
  member,
  methods,
  type Payload,
  payloadOf,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import type { Ask } from './ask.ts'

/** For each kind: the server capability, the method, and the member of the result. */
const lists = {
  tools: { capability: 'tools', method: methods.toolsList, member: 'tools' },
  resources: { capability: 'resources', method: methods.resourcesList, member: 'resources' },
  resourceTemplates: {
    capability: 'resources',
    method: methods.resourcesTemplatesList,
    member: 'resourceTemplates',
  },
  prompts: { capability: 'prompts', method: methods.promptsList, member: 'prompts' },
} as const

/** The largest number of pages: no real server has more. */
const maxPages = 1_000

/** The largest number of items on all pages together: no real server has more. */
const maxItems = 100_000

const methodNotFound = -32601

/**
 * The complete list of a kind, all pages. Empty when the server does not declare the kind, or does not know the method:
 * many servers with resources have no templates.
 *
 * Rejects with a JunctorError when the server fails, or its pages do not end.
 *
 * @param seen called with the result of each page
 */
export async function listPages(
  kind: ListKind,
  server: ServerInfo,
  ask: Ask,
  seen?: (page: Payload) => void,
): Promise<readonly Payload[]> {
  const list = lists[kind]
  if (!declares(server.capabilities, [list.capability])) return []
  const found: Payload[] = []
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    // Each page names the next one.
    // oxlint-disable-next-line no-await-in-loop
    const response = await ask(list.method, cursor === undefined ? undefined : payloadOf({ cursor }))
    if (response.kind === 'error') {
      const { code, message } = response.error
      if (code === methodNotFound && pages === 0) return []
      throw new JunctorError('BACKEND_REFUSED', `${list.method} failed with ${code}: ${message}`)
    }
    seen?.(response.result)
    const page = pageItems(response.result, list.method, list.member)
    if (found.length + page.length > maxItems) {
      throw new JunctorError('LIMIT_REACHED', `Expected ${list.method} to have at most ${maxItems} items, got more`)
    }
    for (const item of page) found.push(item)
    cursor = nextCursor(response.result, list.method)
    if (cursor === undefined) return found
    if (cursors.has(cursor)) throw new JunctorError('PROTOCOL_VIOLATED', `${list.method} gave the same cursor twice`)
    cursors.add(cursor)
  }
  throw new JunctorError('LIMIT_REACHED', `Expected ${list.method} to have at most ${maxPages} pages`)
}

function pageItems(result: Payload, method: string, name: string): readonly Payload[] {
  const page = member(result, name)
  if (page === undefined || !Array.isArray(page.value())) {
    throw new JunctorError('PROTOCOL_VIOLATED', `Expected the result of ${method} to have an array "${name}"`)
  }
  return items(page)
}

/** The cursor of the next page. Null counts as absent: some servers send null for absent members. */
function nextCursor(result: Payload, method: string): string | undefined {
  const value = result.value()
  const cursor = (isJsonObject(value) ? value['nextCursor'] : undefined) ?? undefined
  if (cursor === undefined || typeof cursor === 'string') return cursor
  throw new JunctorError('PROTOCOL_VIOLATED', `Expected the "nextCursor" of ${method} to be text, got ${typeof cursor}`)
}
