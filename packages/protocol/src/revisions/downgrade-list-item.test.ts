import { payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { downgradeListItem } from './downgrade-list-item.ts'

const tool = {
  name: 'x',
  title: 'X',
  description: 'd',
  inputSchema: { type: 'object', title: 'stays' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  icons: [],
  execution: { taskSupport: 'optional' },
  _meta: { a: 1 },
  'x-new': true,
}
const core = ['name', 'description', 'inputSchema', '_meta', 'x-new']

describe('a tool', () => {
  test.each([
    ['2024-11-05', core],
    ['2025-03-26', [...core, 'annotations']],
    ['2025-06-18', [...core, 'annotations', 'title', 'outputSchema']],
    ['2025-11-25', Object.keys(tool)],
    ['2026-07-28', Object.keys(tool).filter((name) => name !== 'execution')],
  ] as const)('of %s has %o', (revision, names) => {
    const item = JSON.parse(printPayload(downgradeListItem('tools', payloadOf(tool), revision))) as typeof tool
    expect(new Set(Object.keys(item))).toEqual(new Set(names))
    expect(item.inputSchema).toEqual(tool.inputSchema)
  })
})

test.each(['resources', 'resourceTemplates', 'prompts'] as const)(
  '%s keep annotations, which every revision has',
  (kind) => {
    const item = payloadOf({ name: 'x', title: 'X', icons: [], annotations: {}, size: 3 })
    const older = downgradeListItem(kind, item, '2024-11-05')
    expect(JSON.parse(printPayload(older))).toEqual({ name: 'x', annotations: {}, size: 3 })
  },
)

test('an item without members to remove is the same payload', () => {
  const item = payloadOf({ name: 'x', inputSchema: { type: 'object' } })
  expect(downgradeListItem('tools', item, '2024-11-05')).toBe(item)
})

test('numbers that exceed a double are preserved', () => {
  const item = payloadFromText('{"title":"X","inputSchema":{"maximum":18446744073709551615}}')
  expect(printPayload(downgradeListItem('tools', item, '2024-11-05'))).toBe(
    '{"inputSchema":{"maximum":18446744073709551615}}',
  )
})

test('a value that is not an object is unchanged', () => {
  const item = payloadOf(null)
  expect(downgradeListItem('tools', item, '2024-11-05')).toBe(item)
})

test.each(['2025-03-26', '2025-06-18', '2025-11-25'] as const)(
  'the schemas of a tool have the form of %s',
  (revision) => {
    const schema = '{"type":"object","properties":{"a":true,"b":false,"c":{"maximum":18446744073709551615}}}'
    const item = payloadFromText(`{"name":"x","inputSchema":${schema},"outputSchema":{"type":"array"}}`)
    expect(printPayload(downgradeListItem('tools', item, revision))).toBe(
      '{"name":"x","inputSchema":{"type":"object","properties":{"a":{},"b":{"not":{}},"c":{"maximum":18446744073709551615}}}}',
    )
    expect(downgradeListItem('tools', item, '2026-07-28')).toBe(item)
  },
)
