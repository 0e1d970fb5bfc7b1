import { expect, test } from 'vitest'
import {
  type JsonObject,
  type JsonValue,
  type Payload,
  payloadFromText,
  payloadOf,
  printPayload,
} from '@junctor/jsonrpc'
import { judgeList } from './judge-list.ts'

const schema = { type: 'object' }
const good = { name: 'good', inputSchema: schema }

function judged(list: 'tools' | 'resources' | 'resourceTemplates' | 'prompts', ...items: readonly JsonValue[]) {
  const { items: kept, findings } = judgeList(list, items.map(payloadOf))
  return { kept: kept.map((item) => item.value()), findings }
}

test.each<[JsonValue, string]>([
  [null, 'null'],
  [5, '5'],
  ['x', '"x"'],
  [true, 'true'],
  [[good], 'a list'],
  [{}, 'no "name"'],
  [{ name: null }, '"name" null'],
  [{ name: '' }, '"name" ""'],
  [{ name: { a: 1 } }, '"name" an object'],
  [{ name: 'a\nb' }, String.raw`"name" "a\nb"`],
  [{ name: '\ud800' }, String.raw`"name" "\ud800"`],
])('%j is not a tool, and does not affect other items', (item, got) => {
  const expected = 'an object with a text "name"'
  const other = { ...good, name: 'other' }
  expect(judged('tools', good, item, other)).toEqual({
    kept: [good, other],
    findings: [{ list: 'tools', position: 1, got, expected, shown: false }],
  })
})

test.each<[string, JsonValue]>([
  ['title', 5],
  ['description', null],
  ['icons', {}],
  ['icons', [null]],
  ['_meta', []],
  ['outputSchema', 'object'],
  ['annotations', 5],
  ['annotations', { readOnlyHint: 'yes' }],
  ['execution', false],
])('a tool whose %s is %j is shown without it', (member, value) => {
  const { kept, findings } = judged('tools', { ...good, [member]: value })
  expect(kept).toEqual([good])
  expect(findings).toMatchObject([{ position: 0, shown: true }])
})

test.each<[JsonValue | undefined, number]>([
  [undefined, 0],
  [null, 1],
  [5, 1],
  [{}, 1],
  [{ type: 'string' }, 1],
])('a tool whose schema is %j takes any object', (inputSchema, findings) => {
  const result = judged('tools', { name: 'good', ...(inputSchema !== undefined && { inputSchema }) })
  expect(result.kept).toEqual([{ name: 'good', inputSchema: { type: 'object', properties: {} } }])
  expect(result.findings).toHaveLength(findings)
})

test.each(['resources', 'resourceTemplates'] as const)('%s without a name are called by their URI', (list) => {
  const member = list === 'resources' ? 'uri' : 'uriTemplate'
  expect(judged(list, { [member]: 'a:b', size: 'big' }, { name: 'x' }, null)).toMatchObject({
    kept: [{ [member]: 'a:b', name: 'a:b' }],
    findings: [
      { position: 0, shown: true },
      { position: 1, got: `no "${member}"`, shown: false },
      { position: 2, shown: false },
    ],
  })
})

test.each([
  ['tools', 'name', { inputSchema: schema }],
  ['resources', 'uri', { name: 'a' }],
  ['resourceTemplates', 'uriTemplate', { name: 'a' }],
  ['prompts', 'name', {}],
] as const)('of %s with the same name, the first is kept', (list, member, rest) => {
  const [first, second, other] = [
    { [member]: 'x:1', title: 'first', ...rest },
    { [member]: 'x:1', title: 'second', ...rest },
    { [member]: 'x:2', ...rest },
  ]
  const got = `"${member}" "x:1" again`
  expect(judged(list, first, second, other)).toEqual({
    kept: [first, other],
    findings: [{ list, position: 1, got, expected: 'each name once', shown: false }],
  })
})

test('invalid arguments of prompts are left out', () => {
  expect(judged('prompts', { name: 'a', arguments: [{ name: 'x' }] }, { name: 'b', arguments: [null] })).toMatchObject({
    kept: [{ name: 'a', arguments: [{ name: 'x' }] }, { name: 'b' }],
    findings: [{ position: 1, got: '"arguments" a list' }],
  })
})

test.each<[string, JsonValue, JsonValue, string]>([
  ['inputSchema', { type: 'object', properties: null, a: 1 }, { type: 'object', a: 1 }, '"properties" null'],
  ['outputSchema', { type: 'object', required: true }, { type: 'object' }, '"required" true'],
  ['annotations', { title: null, readOnlyHint: true }, { readOnlyHint: true }, '"title" null'],
  ['icons', [{ src: 'a' }, { src: 'b', sizes: '1x1' }], [{ src: 'a' }, { src: 'b' }], '"sizes" "1x1"'],
])('a part of %s that clients refuse is left out', (member, value, left, got) => {
  const { kept, findings } = judged('tools', { ...good, [member]: value })
  expect(kept).toEqual([{ ...good, [member]: left }])
  expect(findings).toMatchObject([{ position: 0, got: `"${member}" with ${got}`, shown: true }])
})

test.each<[JsonObject, JsonObject]>([
  [{ priority: 2, audience: ['user'] }, { audience: ['user'] }],
  [{ audience: ['model'] }, {}],
  [{ lastModified: '2025-01-12' }, {}],
  [
    { lastModified: '2025-01-12T15:00:58+02:00', extra: 1 },
    { lastModified: '2025-01-12T15:00:58+02:00', extra: 1 },
  ],
])('the annotations %j of a resource are shown as %j', (annotations, left) => {
  const { kept } = judged('resources', { uri: 'a:b', name: 'a', annotations })
  expect(kept).toEqual([{ uri: 'a:b', name: 'a', annotations: left }])
})

test('an item whose parts are left out keeps the exact text of the others', () => {
  const item = payloadFromText(
    '{"name":"a","arguments":[{"name":"x","required":null,"most":9007199254740993},{"name":"y"}]}',
  )
  const [kept] = judgeList('prompts', [item]).items
  const expected = '{"name":"a","arguments":[{"name":"x","most":9007199254740993},{"name":"y"}]}'
  expect(kept && printPayload(kept)).toBe(expected)
})

test('a valid item is the same payload, and a corrected one keeps the exact text of its other members', () => {
  const right = payloadFromText('{"name":"a","inputSchema":{"type":"object","maximum":9007199254740993},"size":null}')
  expect(judgeList('tools', [right]).items[0]).toBe(right)
  const wrong = payloadFromText('{"name":"a","description":1,"inputSchema":{"type":"object","maximum":1e400}}')
  const [item] = judgeList('tools', [wrong]).items
  expect(item && printPayload(item)).toBe('{"name":"a","inputSchema":{"type":"object","maximum":1e400}}')
})

test('an item of a plugin that is not a payload is dropped', () => {
  const { items, findings } = judgeList('tools', [good, undefined] as unknown as Payload[])
  expect(items).toEqual([])
  expect(findings.map(({ got }) => got)).toEqual(['nothing', 'nothing'])
})
