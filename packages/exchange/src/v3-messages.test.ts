import { payloadFromText, payloadOf, requestId } from '@junctor/jsonrpc'
import { wireError } from '@junctor/protocol'
import { describe, expect, test } from 'vitest'
import { completed, sampleView } from '../test/samples.ts'
import { type Frame, Renderer } from './renderer.ts'
import type { ExchangeEvent } from './event.ts'
import { gatheredLimit } from './gathered-chunks.ts'
import type { EndReason } from './outcome.ts'
import type { View } from './view.ts'

const plain: View = { ...sampleView, dialect: '3.0', progressToken: undefined }

function render(events: readonly ExchangeEvent[], view: Partial<View> = {}): readonly Frame[] {
  const renderer = new Renderer({ ...plain, ...view })
  return events.flatMap((event) => renderer.render(event) ?? [])
}

function texts(events: readonly ExchangeEvent[], view: Partial<View> = {}): readonly string[] {
  return render(events, view).map((frame) => frame.text)
}

const ack = (info?: object): ExchangeEvent => ({ kind: 'ack', ack: info === undefined ? {} : { info: { ...info } } })
const chunk = (data: unknown): ExchangeEvent => ({ kind: 'chunk', data })
const progress = (value: number, total?: number): ExchangeEvent => ({
  kind: 'progress',
  progress: total === undefined ? { progress: value } : { progress: value, total },
})
const result = (value: string | number): ExchangeEvent => ({
  kind: 'outcome',
  outcome: { kind: 'complete', result: payloadOf(value) },
})
const end = (reason: EndReason): ExchangeEvent => ({ kind: 'end', reason })

const calls = { id: requestId(1), method: 'add' }
const logs = { id: requestId(2), method: 'listen.logs', stream: true }
const task = { id: requestId(3), method: 'start.longTask' }

describe('the examples of the document, in the format of its section 6', () => {
  test.each<[string, Partial<View>, readonly ExchangeEvent[], readonly string[]]>([
    ['11.1 a result', calls, [result(3)], ['{"jsonrpc":"3.0","id":1,"result":3}']],
    [
      '11.1.2 an ack',
      calls,
      [ack(), result(3)],
      ['{"jsonrpc":"3.0","id":1,"ack":{}}', '{"jsonrpc":"3.0","id":1,"result":3}'],
    ],
    [
      '11.1.3 an ack that names a job',
      calls,
      [ack({ jobId: 'a2xi87', jobQ: { url: 'q.hwwer8.io', authToken: '1xsd2', ttl: '36h' } })],
      [
        '{"jsonrpc":"3.0","id":1,"ack":{"jobId":"a2xi87","jobQ":{"url":"q.hwwer8.io","authToken":"1xsd2","ttl":"36h"}}}',
      ],
    ],
    [
      '11.2 a stream',
      logs,
      [chunk('Log entry 1'), chunk('Log entry 2'), result('End of logs')],
      [
        '{"jsonrpc":"3.0","stream":{"id":2,"data":"Log entry 1"}}',
        '{"jsonrpc":"3.0","stream":{"id":2,"data":"Log entry 2"}}',
        '{"jsonrpc":"3.0","stream":{"id":2},"result":"End of logs"}',
      ],
    ],
    ['6.5 the ack of a stream', logs, [ack()], ['{"jsonrpc":"3.0","ack":{"id":2}}']],
    [
      '11.3.1 an ack with progress',
      { ...task, extensions: ['progress'] },
      [ack(), progress(10, 20), progress(20, 20), result('Task completed')],
      [
        '{"jsonrpc":"3.0","id":3,"ack":{}}',
        '{"jsonrpc":"3.0","id":3,"ack":{"progress":10,"total":20}}',
        '{"jsonrpc":"3.0","id":3,"ack":{"progress":20,"total":20}}',
        '{"jsonrpc":"3.0","id":3,"result":"Task completed"}',
      ],
    ],
    [
      '11.4.2 the ack of a stream that goes on elsewhere',
      { ...logs, id: requestId('a31dbae') },
      [ack({ id: 'mine', stream: { id: 'fxr2t6', pubServer: { conn: '12.84.22.32:3564', topic: 'logs' } } })],
      [
        '{"jsonrpc":"3.0","ack":{"id":"a31dbae","stream":{"id":"fxr2t6","pubServer":{"conn":"12.84.22.32:3564","topic":"logs"}}}}',
      ],
    ],
  ])('%s', (_name, view, events, expected) => {
    expect(texts(events, view)).toEqual(expected)
  })

  test.each([
    ['6.3 and 11.4, a stream', true, { stream: { id: 2 } }],
    ['a request', false, { id: 2 }],
  ])('%s that is cancelled ends with the error of a cancellation', (_name, stream, place) => {
    const [frame, ...more] = render([chunk('Log entry 1'), end('cancelled')], { ...logs, stream }).slice(-1)
    expect(more).toEqual([])
    expect(frame?.last).toBe(true)
    expect(JSON.parse(frame?.text ?? '')).toMatchObject({
      jsonrpc: '3.0',
      ...place,
      error: { code: -32800, title: 'Client Cancelled', message: 'Request cancelled by client.' },
    })
  })
})

describe('progress', () => {
  test('of a stream is an ack that contains the id', () => {
    expect(texts([progress(1)], { ...logs, extensions: ['progress'] })).toEqual([
      '{"jsonrpc":"3.0","ack":{"id":2,"progress":1}}',
    ])
  })

  test('is a notification to a client with a token but without the extension', () => {
    expect(texts([progress(1, 2)], { progressToken: 't' })).toEqual([
      '{"jsonrpc":"3.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":2}}',
    ])
  })

  test('is not sent to a client without both, and never falls', () => {
    expect(texts([progress(1), chunk('a')])).toEqual([])
    expect(texts([progress(2), progress(1), progress(2)], { extensions: ['progress'] })).toHaveLength(1)
  })

  test('includes gathered chunks, but not those of a stream', () => {
    expect(texts([chunk('a'), chunk('b')], { ...task, extensions: ['progress'] })).toEqual([
      '{"jsonrpc":"3.0","id":3,"ack":{"progress":1}}',
      '{"jsonrpc":"3.0","id":3,"ack":{"progress":2}}',
    ])
    expect(texts([chunk('a')], { ...logs, extensions: ['progress'] })).toEqual([
      '{"jsonrpc":"3.0","stream":{"id":2,"data":"a"}}',
    ])
  })
})

describe('chunks', () => {
  test('are any JSON, and null for other values', () => {
    expect(texts([chunk({ a: [1] }), chunk(undefined), chunk(null)], logs)).toEqual([
      '{"jsonrpc":"3.0","stream":{"id":2,"data":{"a":[1]}}}',
      '{"jsonrpc":"3.0","stream":{"id":2,"data":null}}',
      '{"jsonrpc":"3.0","stream":{"id":2,"data":null}}',
    ])
  })

  test('are part of the result for a client without a stream', () => {
    expect(texts([chunk('a'), chunk('b'), result('End of logs')], { ...logs, stream: false })).toEqual([
      '{"jsonrpc":"3.0","id":2,"result":{"chunks":["a","b"],"result":"End of logs"}}',
    ])
    expect(texts([chunk('a'), { kind: 'outcome', outcome: completed }])).toEqual([
      '{"jsonrpc":"3.0","id":7,"result":{"content":[{"type":"text","text":"a"}]}}',
    ])
  })

  test('above the limit turn the result into an error, but not those of a stream', () => {
    const tooLong = 'a'.repeat(gatheredLimit + 1)
    const events = [chunk(tooLong), result(1)]
    expect(JSON.parse(render(events)[0]?.text ?? '')).toMatchObject({
      id: 7,
      error: {
        code: -32013,
        title: 'Payload Too Large',
        message: 'The streamed result is larger than 1048576 characters',
      },
    })
    expect(texts(events, { stream: true })).toEqual([
      `{"jsonrpc":"3.0","stream":{"id":7,"data":"${tooLong}"}}`,
      '{"jsonrpc":"3.0","stream":{"id":7},"result":1}',
    ])
  })
})

test.each<[string, ExchangeEvent, string]>([
  [
    'a notification is passed on',
    { kind: 'notification', notification: { method: 'n/m', params: payloadFromText('{"data":1.0}') } },
    '{"jsonrpc":"3.0","method":"n/m","params":{"data":1.0}}',
  ],
  [
    'an ask is a request whose id is the number of the ask’s',
    { kind: 'ask', id: 'node-1a', request: { method: 'roots/list', params: undefined } },
    '{"jsonrpc":"3.0","id":1491075118,"method":"roots/list"}',
  ],
  [
    'an ask that is withdrawn is cancelled',
    { kind: 'withdrawn', id: 'node-1a', reason: 'late' },
    '{"jsonrpc":"3.0","method":"notifications/cancelled","params":{"requestId":1491075118,"reason":"late"}}',
  ],
])('%s, in a stream or not', (_name, event, text) => {
  for (const stream of [true, false]) expect(render([event], { stream })).toEqual([{ text, last: false }])
})

describe('the last frame', () => {
  test('is in stream form for a client with a stream, also without chunks', () => {
    expect(texts([result(3)], { stream: true })).toEqual(['{"jsonrpc":"3.0","stream":{"id":7},"result":3}'])
  })

  test('is the error, with its message as title when it has none', () => {
    const outcome = { kind: 'error' as const, error: { code: 5, message: 'no', status: 400 } }
    expect(render([{ kind: 'outcome', outcome }])).toEqual([
      {
        text: '{"jsonrpc":"3.0","id":7,"error":{"code":5,"title":"no","message":"no"}}',
        last: true,
        status: 400,
      },
    ])
  })

  test('has the id of the request, including null', () => {
    expect(texts([result(3)], { id: 'null' as View['id'] })).toEqual(['{"jsonrpc":"3.0","id":null,"result":3}'])
  })

  test.each<[EndReason, number]>([
    ['deadline', wireError('deadline_exceeded', plain).code],
    ['session_ended', wireError('session_unknown', plain).code],
    ['lease_lost', wireError('backend_exited', plain).code],
    ['shutdown', wireError('backend_exited', plain).code],
  ])('is the error of the catalogue for %s', (reason, code) => {
    const [text = ''] = texts([end(reason)], { stream: true })
    expect(JSON.parse(text)).toMatchObject({ stream: { id: 7 }, error: { code, title: expect.stringMatching(/./) } })
  })

  test('is empty for a client that is gone', () => {
    expect(render([end('disconnected')])).toEqual([{ text: '', last: true }])
  })
})
