import { type JsonObject, type JsonValue, payloadOf, printPayload } from '@junctor/jsonrpc'
import { describe, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { downgradeAnswer, downgradeClientRequest } from './downgrade-client-request.ts'

const asked = (method: string, params: JsonObject, revision: Revision, capabilities: JsonObject = {}): unknown =>
  JSON.parse(printPayload(downgradeClientRequest(method, payloadOf(params), { revision, capabilities })))
const text = (words: string): JsonObject => ({ type: 'text', text: words })
const audio = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }

describe('elicitation', () => {
  const form = {
    message: 'Which?',
    requestedSchema: {
      type: 'object',
      properties: {
        colour: {
          type: 'string',
          title: 'Colour',
          oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }],
          default: 'r',
        },
        name: { type: 'string' },
      },
      required: ['colour'],
    },
  }

  test('sends titled choices to 2025-06-18 as enum and enumNames', () => {
    expect(asked('elicitation/create', form, '2025-06-18')).toEqual({
      message: 'Which?',
      requestedSchema: {
        type: 'object',
        properties: {
          colour: { type: 'string', title: 'Colour', enum: ['r', 'g'], enumNames: ['Red', 'g'], default: 'r' },
          name: { type: 'string' },
        },
        required: ['colour'],
      },
    })
  })

  test('is unchanged for 2025-11-25', () => {
    const params = payloadOf(form)
    expect(downgradeClientRequest('elicitation/create', params, { revision: '2025-11-25', capabilities: {} })).toBe(
      params,
    )
  })
})

describe('sampling', () => {
  const messages = [
    { role: 'user', content: [text('a'), audio], _meta: { x: 1 } },
    { role: 'assistant', content: text('b') },
  ]

  test('has one content block per message before 2025-11-25', () => {
    expect(asked('sampling/createMessage', { messages, maxTokens: 5 }, '2025-06-18')).toEqual({
      messages: [
        { role: 'user', content: text('a'), _meta: { x: 1 } },
        { role: 'user', content: audio, _meta: { x: 1 } },
        { role: 'assistant', content: text('b') },
      ],
      maxTokens: 5,
    })
  })

  test('has a text note instead of audio for 2024-11-05', () => {
    expect(asked('sampling/createMessage', { messages: [{ role: 'user', content: audio }] }, '2024-11-05')).toEqual({
      messages: [{ role: 'user', content: text('[audio of type audio/wav, which this client cannot take]') }],
    })
  })

  test.each(['2024-11-05', '2025-11-25'] as const)('is unchanged when nothing must change for %s', (revision) => {
    const params = payloadOf({ messages: [{ role: 'user', content: text('a') }], includeContext: 'none' })
    expect(downgradeClientRequest('sampling/createMessage', params, { revision, capabilities: {} })).toBe(params)
  })

  test.each<[string, Revision, JsonObject, boolean]>([
    ['declared', '2025-11-25', { sampling: { context: {} } }, true],
    ['not declared', '2025-11-25', { sampling: {} }, false],
    ['not a capability yet', '2025-06-18', { sampling: {} }, true],
  ])('includeContext with sampling.context %s', (_name, revision, capabilities, stays) => {
    const params = asked(
      'sampling/createMessage',
      { messages: [], includeContext: 'thisServer' },
      revision,
      capabilities,
    )
    expect(params).toEqual({ messages: [], ...(stays && { includeContext: 'thisServer' }) })
  })
})

describe('a task on the client side', () => {
  const params = { messages: [], task: { ttl: 1 } }

  test('is requested from a client that declared tasks', () => {
    const capabilities = { tasks: { requests: { sampling: { createMessage: {} } } } }
    expect(asked('sampling/createMessage', params, '2025-11-25', capabilities)).toEqual(params)
  })

  test.each([{}, { tasks: {} }, { tasks: { requests: { elicitation: { create: {} } } } }])(
    'is not requested from a client with %o',
    (capabilities) => {
      expect(asked('sampling/createMessage', params, '2025-11-25', capabilities)).toEqual({ messages: [] })
    },
  )
})

test.each([[null], [[]], ['x'], [{}], [{ messages: 3 }], [{ messages: [null, { role: 'user' }] }]])(
  'values that are not valid params (%o) are unchanged',
  (odd: JsonValue) => {
    const params = payloadOf(odd)
    const client = { revision: '2024-11-05', capabilities: {} } as const
    expect(downgradeClientRequest('sampling/createMessage', params, client)).toBe(params)
  },
)

describe('an answer', () => {
  const answered = (content: JsonValue, revision: Revision): unknown =>
    JSON.parse(
      printPayload(downgradeAnswer('sampling/createMessage', payloadOf({ role: 'assistant', content }), revision)),
    )

  test.each([
    ['one block', [text('a')], text('a')],
    ['texts', [text('a'), text('b')], text('a\nb')],
    ['a mixture', [audio, text('b')], audio],
    ['nothing', [], text('')],
  ])('of %s is one block before 2025-11-25', (_name, content, expected) => {
    expect(answered(content, '2025-06-18')).toEqual({ role: 'assistant', content: expected })
  })

  test('stays an array for 2025-11-25', () => {
    expect(answered([text('a')], '2025-11-25')).toEqual({ role: 'assistant', content: [text('a')] })
  })

  test('of another kind is unchanged', () => {
    const result = payloadOf({ action: 'accept', content: ['a'] })
    expect(downgradeAnswer('elicitation/create', result, '2025-06-18')).toBe(result)
  })
})
