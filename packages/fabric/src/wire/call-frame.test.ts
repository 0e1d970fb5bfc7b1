import type { Outcome } from '@junctor/exchange'
import { type Payload, payloadFromText, payloadOf, printPayload } from '@junctor/jsonrpc'
import { createRequest, recordExchange } from '@junctor/testkit'
import { describe, expect, test } from 'vitest'
import type { CallFrame, CallOpening } from './call-frame.ts'
import { inFull } from './context-names.ts'
import { KnownContexts } from './known-contexts.ts'
import { printCallFrame, printOpening } from './print-call-frame.ts'
import { readCallFrame, readOpening } from './read-call-frame.ts'

const exact = '{"n":9007199254740993,"t":"ä\\n"}'
const { context } = recordExchange().exchange

const opening: CallOpening = {
  service: '$session',
  exchange: 'node-1',
  request: createRequest('tools/call', { name: 'echo' }, 'an id'),
  context,
  deadline: 30_000,
  attempt: 2,
  wantsProgress: true,
}

function comes(sent: CallOpening): CallOpening | undefined {
  const read = readOpening(printOpening(sent, inFull), new KnownContexts())
  return read.kind === 'read' ? read.value : undefined
}

function frameIn(text: string): unknown {
  const read = readCallFrame(text)
  return read.kind === 'read' ? read.value : read
}

/** Payloads as their text, so that equal payloads in different forms compare as equal. */
function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('value' in value && typeof value.value === 'function') return `payload ${printPayload(value as Payload)}`
  if (Array.isArray(value)) return value.map(shown)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shown(one)]))
}

describe('an opening', () => {
  test('is read as it was printed', () => {
    expect(shown(comes(opening))).toEqual(shown(opening))
  })

  test('keeps members of its context that are undefined', () => {
    const read = comes({ ...opening, context: { ...context, session: undefined, job: 'j' } })
    expect(read?.context).toStrictEqual({ ...context, session: undefined, job: 'j' })
  })

  test('keeps params and options unchanged', () => {
    const request = { ...opening.request, params: payloadFromText(exact), options: payloadFromText('{"stream":true}') }
    const read = comes({ ...opening, request })
    expect(read?.request.params?.text).toBe(exact)
    expect(read?.request.options?.text).toBe('{"stream":true}')
  })

  test('without params has none', () => {
    const read = comes({ ...opening, request: createRequest('ping') })
    expect(read?.request).toStrictEqual(createRequest('ping'))
  })
})

const error = { code: 42, message: 'no', data: payloadOf({ why: 'because' }), status: 418, title: 'No' }
const outcomes: readonly Outcome[] = [
  { kind: 'complete', result: payloadFromText(exact) },
  {
    kind: 'input_required',
    requests: {
      a: { method: 'roots/list', params: undefined },
      ['__proto__']: { method: 'elicitation/create', params: payloadOf({ message: 'sure?' }) },
    },
    state: 's',
  },
  { kind: 'input_required', requests: {} },
  { kind: 'error', error },
  { kind: 'error', error: { code: 1, message: 'bare' } },
]

const frames: readonly CallFrame[] = [
  { kind: 'ack', ack: {} },
  { kind: 'ack', ack: { info: { jobId: 'j' } } },
  { kind: 'progress', progress: { progress: 1, total: 2, message: 'half' } },
  { kind: 'progress', progress: { progress: 1, more: { _meta: { own: [1] } } } },
  { kind: 'chunk', data: [{ n: 1 }, 'two\nlines', null] },
  { kind: 'chunk', data: null },
  { kind: 'notification', notification: { method: 'notifications/message', params: payloadFromText(exact) } },
  { kind: 'notification', notification: { method: 'notifications/tools/list_changed', params: undefined } },
  { kind: 'ask', id: 'node-2', request: { method: 'roots/list', params: undefined }, options: {} },
  {
    kind: 'ask',
    id: 'node-2',
    request: { method: 'elicitation/create', params: payloadFromText(exact) },
    options: { timeoutMs: 1, guessed: true, key: 'name' },
  },
  { kind: 'withdrawn', id: 'node-2', reason: 'why' },
  { kind: 'answer', id: 'node-2', answer: { result: payloadFromText(exact) } },
  { kind: 'answer', id: 'node-2', answer: { error } },
  { kind: 'accepted', node: 'far', token: 'x1' },
  { kind: 'refused' },
  { kind: 'end', reason: 'cancelled' },
  { kind: 'taken', bytes: 1_000 },
  ...outcomes.map((outcome) => ({ kind: 'outcome' as const, outcome })),
]

describe('a frame', () => {
  test.each(frames.map((frame) => [frame.kind, frame] as const))('is read as it was printed: %s', (_kind, frame) => {
    expect(shown(frameIn(printCallFrame(frame)))).toEqual(shown(frame))
  })

  test('prints values without a JSON form as null', () => {
    expect(frameIn(printCallFrame({ kind: 'chunk', data: undefined }))).toEqual({ kind: 'chunk', data: null })
  })

  test('does not carry the signal of an ask', () => {
    const { signal } = new AbortController()
    const request = { method: 'roots/list', params: undefined }
    const read = frameIn(printCallFrame({ kind: 'ask', id: 'i', request, options: { signal, timeoutMs: 1 } }))
    expect(read).toMatchObject({ options: { timeoutMs: 1 } })
    expect(read).not.toHaveProperty('options.signal')
  })

  test.each([
    ['', 'expected a head that is JSON'],
    ['{', 'expected a head that is JSON'],
    ['null', 'frame: expected an object'],
    ['7', 'frame: expected an object'],
    ['[]', 'frame: expected an object'],
    ['{"kind":"answer","id":"i","result":1}', 'expected a payload in line 1'],
    ['{"kind":"answer","id":"i","result":0}\n1', 'expected a payload in line 0'],
    ['{"kind":"answer","result":1}\n1', 'id: expected'],
    ['{"kind":"ask","id":7,"method":"m"}', 'id: expected'],
    ['{"kind":"notification"}', 'method: expected'],
    ['{"kind":"progress","progress":7}', 'progress: expected'],
    ['{"kind":"progress","progress":{"progress":1,"more":"x"}}', 'progress.more: expected'],
    ['{"kind":"ack"}', 'ack: expected'],
    ['{"kind":"taken","bytes":"many"}', 'bytes: expected'],
    ['{"kind":"taken","bytes":-1}', 'bytes: expected'],
    ['{"kind":"accepted","node":"a.b","token":"x"}', 'node: expected'],
    ['{"kind":"outcome"}', 'outcome: expected'],
    ['{"kind":"outcome","outcome":{"kind":"error","error":{"code":"1","message":"m"}}}', 'error.code: expected'],
    ['{"kind":"outcome","outcome":{"kind":"input_required"}}', 'outcome.requests: expected'],
  ])('that is malformed is not read: %s', (text, problem) => {
    expect(readCallFrame(text)).toEqual({ kind: 'unreadable', problem: expect.stringContaining(problem) })
  })

  test('of a later version is distinguished from a malformed one', () => {
    expect(readCallFrame('{"kind":"hologram"}')).toMatchObject({ kind: 'other' })
    expect(frameIn('{"kind":"accepted","node":"far","token":"x","zone":"a"}')).toMatchObject({ token: 'x' })
  })
})

describe('an opening that is malformed', () => {
  const [head = ''] = printOpening({ ...opening, request: createRequest('ping') }, inFull).split('\n')
  const sent = JSON.parse(head) as Record<string, Record<string, unknown>>

  test.each<[string, unknown]>([
    ['null', null],
    ['a number', 7],
    ['no service', { ...sent, service: undefined }],
    ['no request', { ...sent, request: undefined }],
    ['a request without a method', { ...sent, request: { ...sent['request'], method: 7 } }],
    ['a request in an unknown version', { ...sent, request: { ...sent['request'], dialect: '4.0' } }],
    ['a deadline that is a text', { ...sent, deadline: 'soon' }],
    ['a context without a tenant', { ...sent, context: { ...sent['context'], tenant: undefined } }],
    ['a caller without a key', { ...sent, context: { ...sent['context'], principal: { issuer: 'i', subject: 's' } } }],
    ['an unknown revision', { ...sent, context: { ...sent['context'], revision: '2099-01-01' } }],
    [
      'capabilities that are a list',
      { ...sent, context: { ...sent['context'], client: { info: {}, capabilities: [] } } },
    ],
  ])('is not read: %s', (_what, value) => {
    expect(readOpening(JSON.stringify(value), new KnownContexts())).toMatchObject({ kind: 'unreadable' })
  })

  test('is read with a member of a later version', () => {
    expect(readOpening(JSON.stringify({ ...sent, zone: 'a' }), new KnownContexts())).toMatchObject({ kind: 'read' })
  })

  test('without a deadline has none', () => {
    const read = readOpening(JSON.stringify({ ...sent, deadline: null }), new KnownContexts())
    expect(read).toMatchObject({ value: { deadline: Infinity } })
  })
})
