import { type JsonObject, type JsonValue, payloadFromText, payloadOf, printPayload, requestId } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import { wireError } from '../errors/wire-error.ts'
import type { AddedRequest } from '../profile.ts'
import type { Revision } from '../revision.ts'
import { downgradeListItem } from '../revisions/downgrade-list-item.ts'
import { downgradeResult } from '../revisions/downgrade-result.ts'
import { negotiate } from '../revisions/negotiate.ts'
import { saasProfile } from './saas.ts'

const all = ['2024-11-05', '2025-03-26', '2025-06-18'] as const

/** Returns a result of a backend or the gateway as text, as a client of this revision receives it. */
function shown(method: string, result: JsonValue, revision: Revision = '2025-06-18', now = 0): string {
  const downgraded = downgradeResult(method, payloadOf(result), revision, '2025-11-25')
  return printPayload(saasProfile.results[method]?.(downgraded, { revision, now }) ?? downgraded)
}

test.each([
  ['2024-11-05', '2024-11-05'],
  ['2025-03-26', '2025-03-26'],
  ['2025-06-18', '2025-06-18'],
  ['2025-11-25', '2025-06-18'],
  [undefined, '2025-06-18'],
])('a client that asks for %j gets %s', (asked, given) => {
  expect(negotiate(asked, saasProfile)).toBe(given)
})

test.each([undefined, ...all])('an unreadable id is null at %s', (revision) => {
  expect(saasProfile.nullId(revision)).toBe(true)
})

describe('initialize', () => {
  const serverInfo = { name: 'MCP SaaS Server', version: '1.0.0' }

  test.each([
    ['2024-11-05', ''],
    ['2025-03-26', ',"completions":true'],
    ['2025-06-18', ',"completions":true'],
  ] as const)('at %s the result is as the document prints it, in the same order', (revision, more) => {
    const capabilities = { logging: {}, completions: {}, resources: { subscribe: true } }
    expect(shown('initialize', { protocolVersion: revision, capabilities, serverInfo }, revision)).toBe(
      `{"protocolVersion":"${revision}","capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true},` +
        `"resources":{"subscribe":false,"listChanged":true}${more}},` +
        '"serverInfo":{"name":"MCP SaaS Server","version":"1.0.0"}}',
    )
  })
})

test('ping is answered with pong and the time', () => {
  expect(shown('ping', {}, '2024-11-05', Date.parse('2024-01-15T10:30:00Z') + 250)).toBe(
    '{"status":"pong","timestamp":"2024-01-15T10:30:00Z"}',
  )
})

describe('tools/list', () => {
  const plain = {
    name: 'echo',
    description: 'Echo a message back',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'Message to echo' } },
      required: ['message'],
    },
  }
  const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

  test.each([
    ['2024-11-05', plain],
    ['2025-03-26', { ...plain, annotations }],
    ['2025-06-18', { ...plain, annotations }],
  ] as const)('at %s a tool is as the document prints it', (revision, expected) => {
    const item = payloadOf({ ...plain, outputSchema: { type: 'object' }, annotations })
    const seen = saasProfile.items.tools?.(item) ?? item
    expect(printPayload(downgradeListItem('tools', seen, revision))).toBe(JSON.stringify(expected))
  })
})

describe('tools/call', () => {
  const answer = '{"message":"Hello MCP!","received_params":{"message":"Hello MCP!"},"context_available":true}'
  const printed = JSON.stringify({ content: [{ type: 'text', text: answer }] })

  test.each(all)('at %s the result of every tool is JSON text', (revision) => {
    const structuredContent = JSON.parse(answer) as JsonValue
    expect(shown('tools/call', structuredContent, revision)).toBe(printed)
    expect(shown('tools/call', { content: [], structuredContent }, revision)).toBe(printed)
    expect(shown('tools/call', { structuredContent }, revision)).toBe(printed)
    const mirrored = { content: [{ type: 'text', text: answer }], structuredContent }
    expect(shown('tools/call', mirrored, revision)).toBe(printed)
  })

  test('a result that has only content is unchanged', () => {
    const result = payloadFromText('{"content":[],"isError":true}')
    const seen = saasProfile.results['tools/call']?.(result, { revision: '2025-06-18', now: 0 })
    expect(seen).toBe(result)
  })

  const audio = { type: 'audio', data: 'AAAA', mimeType: 'audio/mpeg', name: 'speech.mp3' }
  const spoken = { content: [{ type: 'text', text: 'Generated audio file:' }, audio] }

  test.each(['2025-03-26', '2025-06-18'] as const)('at %s audio is as the document prints it', (revision) => {
    expect(shown('tools/call', spoken, revision)).toBe(JSON.stringify(spoken))
  })

  test('at 2024-11-05 audio is a resource', () => {
    expect(JSON.parse(shown('tools/call', spoken, '2024-11-05'))).toMatchObject({
      content: [{ type: 'text' }, { type: 'resource', resource: { mimeType: 'audio/mpeg', blob: 'AAAA' } }],
    })
  })
})

describe('prompts/get', () => {
  const block = { type: 'text', text: 'Please greet Alice in a friendly way.' }
  const printed = { description: 'A friendly greeting prompt', messages: [{ role: 'user', content: [block] }] }

  test.each(all)('at %s content is an array', (revision) => {
    const plain = { ...printed, messages: [{ role: 'user', content: block }] }
    expect(shown('prompts/get', plain, revision)).toBe(JSON.stringify(printed))
    expect(shown('prompts/get', printed, revision)).toBe(JSON.stringify(printed))
  })

  test.each([{}, { messages: 'none' }, { messages: [null, 1, {}] }])('%j is unchanged', (result) => {
    expect(shown('prompts/get', result)).toBe(JSON.stringify(result))
  })
})

const echo = { name: 'echo', inputSchema: { type: 'object', properties: { message: {}, mesh: {}, other: {} } } }
const greeting = { name: 'greeting', arguments: [{ name: 'name' }, { name: 'mood' }] }

/**
 * Returns the answer of an added method, with `echo` and `greeting` on offer: its result as text, or the situation of
 * its refusal.
 */
function added(method: string, params: JsonValue | undefined, id: string | number = 1): unknown {
  const request: AddedRequest = {
    id: requestId(id),
    params: params === undefined ? undefined : payloadOf(params),
    offered: (kind, name): JsonObject | undefined =>
      kind === 'tools' ? [echo].find((tool) => tool.name === name) : [greeting].find((one) => one.name === name),
  }
  const answer = saasProfile.methods[method]?.answer(request)
  return answer?.kind === 'complete' ? printPayload(answer.result) : answer?.situation
}

describe('completions/complete', () => {
  const ask = (type: string, name: string, argument: JsonValue): unknown =>
    added('completions/complete', { ref: { type, name }, argument })

  test.each([
    ['ref/tool', 'echo', 'mess', '{"completions":[{"value":"message","description":"Message parameter"}]}'],
    ['ref/tool', 'echo', 'x', '{"completions":[]}'],
    ['ref/prompt', 'greeting', 'na', '{"completions":[{"value":"name","description":"Name parameter"}]}'],
  ])('%s %s %s', (type, name, argument, expected) => {
    expect(ask(type, name, argument)).toBe(expected)
  })

  test('returns all names with the given beginning, in the order of the schema', () => {
    expect(ask('ref/tool', 'echo', 'mes')).toBe(
      '{"completions":[{"value":"message","description":"Message parameter"},{"value":"mesh","description":"Mesh parameter"}]}',
    )
  })

  test.each([
    ['ref/tool', 'nothing', '', 'unknown_tool'],
    ['ref/prompt', 'echo', '', 'unknown_prompt'],
    ['ref/resource', 'echo', '', 'invalid_params'],
    ['ref/tool', 'echo', { name: 'message', value: '' }, 'invalid_params'],
  ])('%s %s %j is refused', (type, name, argument, situation) => {
    expect(ask(type, name, argument)).toBe(situation)
  })
})

describe('elicitation/create', () => {
  const properties = { name: { type: 'string' }, email: { type: 'string', format: 'email' } }
  const requestedSchema = { type: 'object', properties, required: ['name', 'email'] }
  const message = 'Please provide your contact information'

  test.each([1, 'one'])('is answered with its form, under the id %j', (id) => {
    expect(added('elicitation/create', { message, requestedSchema }, id)).toBe(
      JSON.stringify({ type: 'elicitation', prompt: message, requestedSchema, requestId: id }),
    )
  })

  test.each([undefined, { message }, { requestedSchema }, { message: 1, requestedSchema }])(
    '%j is refused',
    (params) => {
      expect(added('elicitation/create', params)).toBe('invalid_params')
    },
  )
})

describe('sampling/createMessage', () => {
  test('is answered with received', () => {
    const content = [{ type: 'text', text: 'What is the capital of France?' }]
    const params = { messages: [{ role: 'user', content }], includeContext: 'none', temperature: 0.7, maxTokens: 100 }
    expect(added('sampling/createMessage', params)).toBe('{"received":true}')
  })

  test.each([undefined, {}, { messages: 'x' }])('%j is refused', (params) => {
    expect(added('sampling/createMessage', params)).toBe('invalid_params')
  })
})

describe('errors', () => {
  test('an unknown method is refused as the document prints it', () => {
    for (const situation of ['method_not_found', 'method_not_in_revision'] as const) {
      const view = { revision: '2025-03-26', dialect: '2.0', profile: saasProfile } as const
      const { status: _, ...error } = wireError(situation, view, { name: 'tools/paint' })
      expect(error).toEqual({ code: -32601, message: 'Method not found' })
    }
  })

  test.each([-32700, -32600, -32601, -32602, -32603])('the error code %i of a backend is unchanged', (code) => {
    const error = { code, message: 'its own', data: payloadOf({ a: 1 }) }
    expect(saasProfile.passedError(error)).toBe(error)
  })

  test.each([
    [-32002, -32602],
    [-32000, -32603],
    [-32001, -32603],
    [-32042, -32603],
    [0, -32603],
  ])('the error code %i of a backend becomes %i with the same message', (code, expected) => {
    const data = payloadOf({ a: 1 })
    expect(saasProfile.passedError({ code, message: 'its own', data })).toEqual({
      code: expected,
      message: 'its own',
      data,
    })
  })
})
