import { parseFrame, payloadFromText, payloadOf, requestId } from '@junctor/jsonrpc'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { endReasons } from '../test/end-reasons.ts'
import { completed, sampleView } from '../test/samples.ts'
import type { ExchangeEvent, LastEvent, OrdinaryEvent } from './event.ts'
import { gatheredLimit } from './gathered-chunks.ts'
import type { EndReason } from './outcome.ts'
import { type Frame, Renderer } from './renderer.ts'
import type { View } from './view.ts'

const tooLong = 'a'.repeat(gatheredLimit + 1)

function render(events: readonly ExchangeEvent[], view: Partial<View> = {}): readonly Frame[] {
  const renderer = new Renderer({ ...sampleView, ...view })
  return events.flatMap((event) => renderer.render(event) ?? [])
}

function parse(frames: readonly Frame[]): readonly unknown[] {
  return frames.map((frame) => JSON.parse(frame.text) as unknown)
}

const progress = (value: number, more: object = {}): ExchangeEvent => ({
  kind: 'progress',
  progress: { progress: value, ...more },
})

describe('progress', () => {
  test('carries the token of the client unchanged', () => {
    for (const progressToken of [0, '', 7, '7', 9007199254740991]) {
      expect(parse(render([progress(1, { total: 2, message: 'half' })], { progressToken }))).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken, progress: 1, total: 2, message: 'half' },
        },
      ])
    }
  })

  test('is not sent to a client without a token', () => {
    expect(render([progress(1), { kind: 'chunk', data: 'a' }], { progressToken: undefined })).toEqual([])
  })

  test('is sent without a token if the profile sends unasked progress', () => {
    const unasked = { progressToken: undefined, profile: { ...sampleView.profile, unaskedProgress: true } }
    expect(parse(render([progress(50, { total: 100, message: 'half' })], unasked))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 50, total: 100, message: 'half' } },
    ])
  })

  test('has no message before 2025-03-26', () => {
    const [frame] = parse(render([progress(1, { message: 'half' })], { revision: '2024-11-05' }))
    expect(frame).toHaveProperty('params', { progressToken: 'token', progress: 1 })
  })
})

describe('chunks', () => {
  test('count as progress and are part of the result', () => {
    const frames = render([
      { kind: 'chunk', data: 'a' },
      { kind: 'chunk', data: { type: 'text', text: 'b' } },
      { kind: 'outcome', outcome: completed },
    ])
    expect(parse(frames)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'token', progress: 1, message: 'a' },
      },
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'token', progress: 2 } },
      {
        jsonrpc: '2.0',
        id: 7,
        result: {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
    ])
  })

  test('do not count as progress once the handler reports its own', () => {
    const frames = render([{ kind: 'chunk', data: 'a' }, progress(2), { kind: 'chunk', data: 'b' }, progress(2.5)])
    expect(parse(frames)).toMatchObject([1, 2, 2.5].map((value) => ({ params: { progress: value } })))
  })

  test('above the limit turn the result into an error', () => {
    const frames = render(
      [
        { kind: 'chunk', data: tooLong },
        { kind: 'outcome', outcome: completed },
      ],
      { progressToken: undefined },
    )
    expect(parse(frames)).toMatchObject([{ id: 7, error: { code: -32600, data: { reason: 'too_large' } } }])
  })

  test('are dropped with an error', () => {
    const error = { code: 5, message: 'no' }
    const frames = render(
      [
        { kind: 'chunk', data: 'a' },
        { kind: 'outcome', outcome: { kind: 'error', error } },
      ],
      { progressToken: undefined },
    )
    expect(parse(frames)).toEqual([{ jsonrpc: '2.0', id: 7, error }])
  })
})

test.each<[string, ExchangeEvent, string]>([
  [
    'a notification is passed on',
    {
      kind: 'notification',
      notification: { method: 'notifications/message', params: payloadFromText('{"data":1.0}') },
    },
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1.0}}',
  ],
  [
    'an ask is a request whose id is the number of the ask’s',
    { kind: 'ask', id: 'node-1a', request: { method: 'roots/list', params: undefined } },
    '{"jsonrpc":"2.0","id":1491075118,"method":"roots/list"}',
  ],
  [
    'an ask that is withdrawn is cancelled',
    { kind: 'withdrawn', id: 'node-1a', reason: 'late' },
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1491075118,"reason":"late"}}',
  ],
])('%s', (_name, event, text) => {
  expect(render([event])).toEqual([{ text, last: false }])
})

test('acks are not sent', () => {
  expect(render([{ kind: 'ack', ack: {} }])).toEqual([])
})

describe('the last frame', () => {
  test('is the result with its exact text', () => {
    const outcome = { kind: 'complete' as const, result: payloadFromText('{"n":9007199254740993}') }
    expect(render([{ kind: 'outcome', outcome }])).toEqual([
      { text: '{"jsonrpc":"2.0","id":7,"result":{"n":9007199254740993}}', last: true },
    ])
  })

  test('is the error, with its HTTP status', () => {
    const error = { code: -32602, message: 'Unknown tool: x', data: payloadOf({ tool: 'x' }), status: 400 }
    expect(render([{ kind: 'outcome', outcome: { kind: 'error', error } }])).toEqual([
      {
        text: '{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown tool: x","data":{"tool":"x"}}}',
        last: true,
        status: 400,
      },
    ])
  })

  test.each<[string, LastEvent, string]>([
    ['a question', { kind: 'outcome', outcome: { kind: 'input_required', requests: {} } }, 'internal_error'],
    ['a deadline', { kind: 'end', reason: 'deadline' }, 'deadline_exceeded'],
    ['the end of its session', { kind: 'end', reason: 'session_ended' }, 'session_unknown'],
    ['a lost lease', { kind: 'end', reason: 'lease_lost' }, 'backend_exited'],
    ['a shutdown', { kind: 'end', reason: 'shutdown' }, 'backend_exited'],
  ])('is the error of the catalogue for %s', (_name, event, reason) => {
    expect(parse(render([event]))).toMatchObject([{ id: 7, error: { data: { reason } } }])
  })

  test.each<EndReason>(['cancelled', 'disconnected'])('is empty for a request that was %s', (reason) => {
    expect(render([{ kind: 'end', reason }])).toEqual([{ text: '', last: true }])
  })
})

const json = fc.jsonValue()
const payload = json.map((value) => payloadFromText(JSON.stringify(value)))
const params = fc
  .option(fc.dictionary(fc.string(), json), { nil: undefined })
  .map((value) => (value === undefined ? undefined : payloadFromText(JSON.stringify(value))))
const method = fc.constantFrom('notifications/message', 'sampling/createMessage', 'weird "\n\u2028 method')

const askId = fc.nat().map((count) => `node-${count.toString(36)}`)

const ordinary: fc.Arbitrary<OrdinaryEvent> = fc.oneof(
  fc.record({ kind: fc.constant('ack'), ack: fc.constant({}) }),
  fc.record({
    kind: fc.constant('progress'),
    progress: fc.record(
      { progress: fc.integer({ min: -3, max: 9 }), message: fc.string() },
      { requiredKeys: ['progress'] },
    ),
  }),
  fc.record({ kind: fc.constant('chunk'), data: fc.oneof(fc.string({ unit: 'binary' }), json) }),
  fc.record({ kind: fc.constant('notification'), notification: fc.record({ method, params }) }),
  fc.record({ kind: fc.constant('ask'), id: askId, request: fc.record({ method, params }) }),
  fc.record({ kind: fc.constant('withdrawn'), id: askId, reason: fc.string() }),
)

const last: fc.Arbitrary<LastEvent> = fc.oneof(
  fc.record({
    kind: fc.constant('outcome'),
    outcome: fc.oneof(
      fc.record({ kind: fc.constant('complete'), result: payload }),
      fc.record({
        kind: fc.constant('error'),
        error: fc.record({ code: fc.integer(), message: fc.string({ unit: 'binary' }), data: payload }),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('end'),
    reason: fc.constantFrom(...endReasons),
  }),
)

const view: fc.Arbitrary<Partial<View>> = fc.record({
  id: fc.oneof(fc.integer(), fc.string()).map((id) => requestId(id)),
  method: fc.constantFrom('tools/call', 'resources/read'),
  revision: fc.constantFrom('2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'),
  progressToken: fc.option(fc.oneof(fc.integer(), fc.string()), { nil: undefined }),
})

test('for any events, a client gets well-formed messages of its revision and at most one response, as the last message', () => {
  fc.assert(
    fc.property(view, fc.array(ordinary, { maxLength: 20, size: 'max' }), last, (seen, events, end) => {
      const frames = render([...events, end], seen)
      expect(frames.map((frame) => frame.last)).toEqual(frames.map((_, n) => n === frames.length - 1))
      expect(frames.every((frame) => !/[\r\n]/.test(frame.text))).toBe(true)

      const parsed = frames.filter((frame) => frame.text !== '').map((frame) => parseFrame(frame.text))
      const messages = parsed.flatMap((one) => (one.kind === 'message' ? [one.message] : []))
      expect(messages).toHaveLength(parsed.length)
      const answers = messages.filter((message) => message.kind === 'result' || message.kind === 'error')
      const silent = end.kind === 'end' && (end.reason === 'cancelled' || end.reason === 'disconnected')
      expect(answers.map((answer) => answer.id)).toEqual(silent ? [] : [seen.id])

      const updates = messages.flatMap((message) =>
        message.kind === 'notification' && message.method === 'notifications/progress' ? [message.params?.value()] : [],
      ) as { readonly progressToken: unknown; readonly progress: number; readonly message?: string }[]
      expect(updates.map((update) => update.progressToken)).toEqual(updates.map(() => seen.progressToken))
      expect(updates.every((update, n) => n === 0 || update.progress > (updates[n - 1]?.progress ?? 0))).toBe(true)
      expect(updates.length > 0 && seen.progressToken === undefined).toBe(false)
      expect(updates.some((update) => 'message' in update) && seen.revision === '2024-11-05').toBe(false)
    }),
    { numRuns: 1000 },
  )
})
