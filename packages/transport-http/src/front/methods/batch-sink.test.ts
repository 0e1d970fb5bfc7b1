import { expect, test } from 'vitest'
import type { Sink, SinkOwner } from '@junctor/exchange'
import { BatchSink } from './batch-sink.ts'

type Sent = [text: string, last: boolean, eventId?: string | undefined, status?: number | undefined]

/** A sink that records its calls. */
function recorder(): Sink & { readonly log: (Sent | string)[] } {
  const log: (Sent | string)[] = []
  return {
    owner: undefined,
    resumable: true,
    log,
    open: (eventId) => void log.push(`open ${eventId}`),
    send(...sent) {
      log.push(sent)
      return undefined
    },
  }
}

test('responses go out as one array, in the order in which they arrive', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 3)
  void sink.send('{"jsonrpc":"2.0","id":2}', true)
  void sink.send('{"jsonrpc":"2.0","id":1}', true, 's:1')
  expect(whole.log).toEqual([])
  void sink.send('{"jsonrpc":"2.0","id":3}', true)
  expect(whole.log).toEqual([
    ['[{"jsonrpc":"2.0","id":2},{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":3}]', true, undefined, undefined],
  ])
})

test('requests that end without a response leave no hole', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 3)
  void sink.send('', true)
  void sink.send('{"jsonrpc":"2.0","id":1}', true)
  void sink.send('', true)
  expect(whole.log).toEqual([['[{"jsonrpc":"2.0","id":1}]', true, undefined, undefined]])
})

const queued = '{"status":"queued"}'

test('a batch whose requests are all queued is accepted once', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 2)
  void sink.send(queued, true, undefined, 202)
  void sink.send(queued, true, undefined, 202)
  expect(whole.log).toEqual([[queued, true, undefined, 202]])
})

test('a batch in which some requests are queued is answered for the others', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 2)
  void sink.send(queued, true, undefined, 202)
  void sink.send('{"jsonrpc":"2.0","id":1}', true)
  expect(whole.log).toEqual([['[{"jsonrpc":"2.0","id":1}]', true, undefined, undefined]])
})

test('a batch whose requests all end without a response is answered with an empty body', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 2)
  void sink.send('', true)
  void sink.send('', true)
  expect(whole.log).toEqual([['', true, undefined, undefined]])
})

test('a stream begins with the responses held so far, ends with the last response, and is opened once', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 3)
  void sink.send('{"jsonrpc":"2.0","id":1}', true)
  sink.open('s:0')
  sink.open('t:0')
  void sink.send('{"progress":1}', false, 's:1')
  void sink.send('{"jsonrpc":"2.0","id":2}', true, 's:2')
  void sink.send('', true)
  expect(whole.log).toEqual([
    'open s:0',
    ['{"jsonrpc":"2.0","id":1}', false, undefined],
    ['{"progress":1}', false, 's:1'],
    ['{"jsonrpc":"2.0","id":2}', false, 's:2'],
    ['', true, undefined],
  ])
})

test('a request that ends without a response is not visible on a stream that continues', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 2)
  sink.open()
  void sink.send('', true)
  void sink.send('{"jsonrpc":"2.0","id":1}', true)
  expect(whole.log).toEqual(['open undefined', ['{"jsonrpc":"2.0","id":1}', true, undefined]])
})

test('a frame that is not a response opens the stream', () => {
  const whole = recorder()
  const sink = new BatchSink(whole, 1)
  void sink.send('{"progress":1}', false)
  expect(whole.log).toEqual(['open undefined', ['{"progress":1}', false, undefined]])
})

test('every request has its owner, and each owner is notified once', () => {
  const ownerCalls: string[] = []
  const owner = (name: string): SinkOwner => ({
    lost: () => ownerCalls.push(`${name} lost`),
    waiting: () => ownerCalls.push(`${name} waiting`),
  })
  const whole = recorder()
  const sink = new BatchSink(whole, 2)
  const [first, second] = [owner('first'), owner('second')]
  sink.owner = first
  sink.owner = second
  sink.owner = first
  sink.owner = undefined
  whole.owner?.waiting()
  whole.owner?.lost()
  expect(ownerCalls).toEqual(['first waiting', 'second waiting', 'first lost', 'second lost'])
  expect(sink.owner).toBe(second)
})
