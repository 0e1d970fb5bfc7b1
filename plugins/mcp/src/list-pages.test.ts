import {
  type JsonObject,
  type ListKind,
  payloadFromText,
  payloadOf,
  printPayload,
  requestId,
  type Response,
  type ServerInfo,
} from '@junctor/plugin-sdk/link'
import { expect, test, vi } from 'vitest'
import type { Ask } from './ask.ts'
import { listPages } from './list-pages.ts'

const server: ServerInfo = {
  revision: '2024-11-05',
  capabilities: { tools: {}, resources: {} },
  info: {},
  instructions: undefined,
}

const response = (result: JsonObject): Response => ({
  kind: 'result',
  dialect: '2.0',
  id: requestId(1),
  result: payloadOf(result),
})

const failure = (code: number): Response => ({
  kind: 'error',
  dialect: '2.0',
  id: requestId(1),
  error: { code, message: 'no' },
})

/** Answers with the next page for each cursor. */
function pagesOf(pages: readonly JsonObject[]): Ask {
  return async (_method, params) => {
    const { cursor = '0' } = (params?.value() ?? {}) as { cursor?: string }
    return response(pages[Number(cursor)] ?? {})
  }
}

test.each<[ListKind, string, string]>([
  ['tools', 'tools/list', 'tools'],
  ['resources', 'resources/list', 'resources'],
  ['resourceTemplates', 'resources/templates/list', 'resourceTemplates'],
])('%s are asked for by %s', async (kind, method, member) => {
  const ask = vi.fn<Ask>(async () => response({ [member]: [{ name: 'one' }] }))
  const list = await listPages(kind, server, ask)
  expect(list.map((item) => item.value())).toEqual([{ name: 'one' }])
  expect(ask).toHaveBeenCalledExactlyOnceWith(method, undefined)
})

test('all pages are one list, an empty one between them included', async () => {
  const pages = [
    { tools: [{ name: 'a' }], nextCursor: '1' },
    { tools: [], nextCursor: '2' },
    { tools: [{ name: 'b' }] },
  ]
  const list = await listPages('tools', server, pagesOf(pages))
  expect(list.map((item) => item.value())).toEqual([{ name: 'a' }, { name: 'b' }])
})

test('items are relayed unchanged', async () => {
  const text = '{"name":"a","inputSchema":{"maximum":9007199254740993}}'
  const result = payloadFromText(`{"tools":[${text}]}`)
  const [item] = await listPages('tools', server, async () => ({
    kind: 'result',
    dialect: '2.0',
    id: requestId(1),
    result,
  }))
  expect(item && printPayload(item)).toBe(text)
})

test('a kind that the server does not declare is empty, and not requested', async () => {
  const ask = vi.fn<Ask>()
  expect(await listPages('prompts', server, ask)).toEqual([])
  expect(ask).not.toHaveBeenCalled()
})

test('a list whose method the server does not know is empty', async () => {
  expect(await listPages('resourceTemplates', server, async () => failure(-32601))).toEqual([])
})

test.each<[string, Ask, string]>([
  ['another error', async () => failure(-32603), 'BACKEND_REFUSED'],
  ['no array', async () => response({ tools: {} }), 'PROTOCOL_VIOLATED'],
  ['nothing', async () => response({}), 'PROTOCOL_VIOLATED'],
  ['a cursor that is not text', async () => response({ tools: [], nextCursor: 5 }), 'PROTOCOL_VIOLATED'],
  ['one cursor for ever', async () => response({ tools: [], nextCursor: 'x' }), 'PROTOCOL_VIOLATED'],
  [
    'a repeated cursor',
    pagesOf([
      { tools: [], nextCursor: '1' },
      { tools: [], nextCursor: '0' },
    ]),
    'PROTOCOL_VIOLATED',
  ],
])('%s is a failure', async (_, ask, code) => {
  await expect(listPages('tools', server, ask)).rejects.toMatchObject({ code })
})

test('more items on one page than the limit are a failure', async () => {
  const tools =
    (length: number): Ask =>
    async () =>
      response({ tools: Array.from({ length }, () => ({ name: 'a' })) })
  expect(await listPages('tools', server, tools(100_000))).toHaveLength(100_000)
  await expect(listPages('tools', server, tools(300_000))).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
})

test('pages without an end are a failure', async () => {
  let page = 0
  const ask: Ask = async () => response({ tools: [], nextCursor: String((page += 1)) })
  await expect(listPages('tools', server, ask)).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  expect(page).toBe(1000)
})
