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
  const { items: list } = await listPages(kind, server, ask)
  expect(list.map((item) => item.value())).toEqual([{ name: 'one' }])
  expect(ask).toHaveBeenCalledExactlyOnceWith(method, undefined)
})

test('a list that is null is empty: some servers write lists without items so', async () => {
  expect(await listPages('tools', server, pagesOf([{ tools: null }]))).toEqual({ items: [], problem: undefined })
})

test('all pages are one list, an empty one between them included', async () => {
  const pages = [
    { tools: [{ name: 'a' }], nextCursor: '1' },
    { tools: [], nextCursor: '2' },
    { tools: [{ name: 'b' }] },
  ]
  const { items: list } = await listPages('tools', server, pagesOf(pages))
  expect(list.map((item) => item.value())).toEqual([{ name: 'a' }, { name: 'b' }])
})

test('an empty cursor is one like any other', async () => {
  const ask: Ask = async (_, params) =>
    response(params === undefined ? { tools: [{ name: 'a' }], nextCursor: '' } : { tools: [{ name: 'b' }] })
  const { items, problem } = await listPages('tools', server, ask)
  expect(items.map((item) => item.value())).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(problem).toBeUndefined()
})

test('items are relayed unchanged', async () => {
  const text = '{"name":"a","inputSchema":{"maximum":9007199254740993}}'
  const result = payloadFromText(`{"tools":[${text}]}`)
  const {
    items: [item],
  } = await listPages('tools', server, async () => ({
    kind: 'result',
    dialect: '2.0',
    id: requestId(1),
    result,
  }))
  expect(item && printPayload(item)).toBe(text)
})

test('a kind that the server does not declare is empty, and not requested', async () => {
  const ask = vi.fn<Ask>()
  expect(await listPages('prompts', server, ask)).toEqual({ items: [], problem: undefined })
  expect(ask).not.toHaveBeenCalled()
})

test('a list whose method the server does not know is empty', async () => {
  expect((await listPages('resourceTemplates', server, async () => failure(-32601))).items).toEqual([])
})

test.each<[string, Ask, string]>([
  ['another error', async () => failure(-32603), 'BACKEND_REFUSED'],
  ['no array', async () => response({ tools: {} }), 'PROTOCOL_VIOLATED'],
  ['nothing', async () => response({}), 'PROTOCOL_VIOLATED'],
  ['a cursor that is not text', async () => response({ tools: [], nextCursor: 5 }), 'PROTOCOL_VIOLATED'],
])('%s is a failure', async (_, ask, code) => {
  await expect(listPages('tools', server, ask)).rejects.toMatchObject({ code })
})

test.each<[string, Ask, string]>([
  [
    'an empty cursor for ever',
    async () => response({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: '' }),
    'page 2 gave',
  ],
  [
    'an empty cursor that the server refuses',
    async (_, params) =>
      params === undefined ? response({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: '' }) : failure(-32602),
    'an empty one',
  ],
  [
    'one cursor for ever',
    async () => response({ tools: [{ name: 'a' }, { name: 'b' }], nextCursor: 'x' }),
    'page 2 gave',
  ],
  [
    'a cursor of an earlier page',
    pagesOf([
      { tools: [{ name: 'a' }], nextCursor: '1' },
      { tools: [{ name: 'b' }], nextCursor: '0' },
    ]),
    'page 3 gave a "nextCursor" of an earlier page',
  ],
])('%s ends the list, each item is in it once, and the problem is named', async (_, ask, problem) => {
  const listed = await listPages('tools', server, ask)
  expect(listed.items.map((item) => item.value())).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(listed.problem).toContain('tools/list: ')
  expect(listed.problem).toContain(problem)
})

test('what a later page names again is in the list once, as the later page has it', async () => {
  const pages = [
    { tools: [{ name: 'a' }, { name: 'b', title: 'earlier' }], nextCursor: '1' },
    { tools: [{ name: 'b', title: 'later' }, { name: 'c' }, null] },
  ]
  const { items, problem } = await listPages('tools', server, pagesOf(pages))
  expect(items.map((item) => item.value())).toEqual([{ name: 'a' }, { name: 'b', title: 'later' }, { name: 'c' }, null])
  expect(problem).toBeUndefined()
})

test('items that the same page names twice stay, because the catalogue decides about them', async () => {
  const { items, problem } = await listPages('tools', server, async () =>
    response({ tools: [{ name: 'a' }, { name: 'a' }] }),
  )
  expect([items.length, problem]).toEqual([2, undefined])
})

test('a list with more items than the limit is cut', async () => {
  const tools =
    (length: number): Ask =>
    async () =>
      response({ tools: Array.from({ length }, (_, index) => ({ name: `a${index}` })) })
  expect(await listPages('tools', server, tools(100_000))).toMatchObject({ problem: undefined })
  const { items, problem } = await listPages('tools', server, tools(100_001))
  expect([items.length, problem]).toEqual([100_000, expect.stringContaining('at most 100000 items')])
})

test('a list without an end is cut', async () => {
  let page = 0
  const ask: Ask = async () => response({ tools: [{ name: `a${page}` }], nextCursor: String((page += 1)) })
  const { items, problem } = await listPages('tools', server, ask)
  expect([page, items.length, problem]).toEqual([1000, 1000, expect.stringContaining('at most 1000 pages')])
})

test('a list without an end whose pages are slow is cut before the gateway stops waiting', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  let page = 0
  const ask: Ask = async () => {
    vi.advanceTimersByTime(900)
    return response({ tools: [{ name: `a${page}` }], nextCursor: String((page += 1)) })
  }
  const { items, problem } = await listPages('tools', server, ask)
  vi.useRealTimers()
  expect([items.length, problem]).toEqual([12, expect.stringContaining('within 10 seconds, got 12')])
})
