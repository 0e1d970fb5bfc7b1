import { payloadOf } from '@junctor/jsonrpc'
import type { ClientRequest } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { RecordingOutlet } from '../test/recording-outlet.ts'
import { completed, sampleExchange, SampleHost } from '../test/samples.ts'
import type { EndReason } from './outcome.ts'
import { relay } from './relay.ts'

const question: ClientRequest = { method: 'roots/list', params: undefined }

function relayed(options: { readonly slow?: boolean } = {}) {
  const host = new SampleHost()
  const outlet = new RecordingOutlet(options)
  const outer = sampleExchange(host)
  outer.attach(outlet)
  const inner = sampleExchange(new SampleHost())
  return { host, outlet, outer, inner, outcome: relay(inner, outer) }
}

test('events of the inner exchange appear on the outer one, in order', async () => {
  const { inner, outer, outlet, outcome } = relayed()
  inner.ack({ info: { jobId: 'j' } })
  inner.progress({ progress: 1 })
  inner.notify({ method: 'notifications/message', params: undefined })
  expect(inner.chunk('a')).toBeUndefined()
  inner.settle(completed)
  expect(outlet.kinds).toEqual(['ack', 'progress', 'notification', 'chunk'])
  expect(await outcome).toBe(completed)
  expect(outer.closed).toBe(false)
})

test('a slow reader of the outer exchange slows the inner one down', async () => {
  const { inner, outlet } = relayed({ slow: true })
  const wait = inner.chunk(1)
  inner.notify({ method: 'notifications/message', params: undefined })
  expect(outlet.kinds).toEqual(['chunk'])
  outlet.drain()
  await expect.poll(() => outlet.kinds).toEqual(['chunk', 'notification'])
  outlet.drain()
  await wait
})

test('an ask of the inner exchange is sent on the outer one with its options, and its answer is returned', async () => {
  const { inner, outer, host, outlet } = relayed()
  const answer = inner.ask(question, { timeoutMs: 7, guessed: true })
  expect([...host.asks.values()]).toMatchObject([{ options: { timeoutMs: 7, guessed: true } }])
  const [asked] = outlet.events
  expect(asked).toMatchObject({ kind: 'ask', request: question })
  const given = { result: payloadOf({ roots: [] }) }
  for (const id of host.asks.keys()) outer.answer(id, given)
  expect(await answer).toBe(given)
})

test('an ask that the inner exchange withdraws is withdrawn from the client', async () => {
  const { inner, outlet } = relayed()
  const controller = new AbortController()
  const answer = inner.ask(question, { signal: controller.signal })
  controller.abort()
  expect(await answer).toHaveProperty('error')
  expect(outlet.kinds).toEqual(['ask', 'withdrawn'])
})

test('the outcome of the inner exchange withdraws its open asks', async () => {
  const { inner, outlet, outcome } = relayed()
  void inner.ask(question)
  inner.settle(completed)
  await outcome
  expect(outlet.kinds).toEqual(['ask', 'withdrawn'])
})

test('the end of the outer exchange ends the inner one, also when it ended first', async () => {
  const { inner, outer, outcome } = relayed()
  outer.end('cancelled')
  expect(inner.ended).toBe('cancelled')
  expect(await outcome).toHaveProperty('kind', 'error')
  const late = sampleExchange(new SampleHost())
  await relay(late, outer)
  expect(late.ended).toBe('cancelled')
})

test.each<EndReason>(['shutdown', 'lease_lost'])(
  'an inner exchange that ends by %s gives the outcome backend_exited',
  async (reason) => {
    const { inner, outcome } = relayed()
    inner.end(reason)
    const ended = await outcome
    expect(ended).toMatchObject({
      kind: 'error',
      error: { code: -32000, message: 'The backend ended before it answered' },
    })
  },
)

test('nothing reaches the outer exchange after the outcome', async () => {
  const { inner, outlet, outcome } = relayed()
  inner.settle(completed)
  inner.progress({ progress: 1 })
  inner.notify({ method: 'late', params: undefined })
  expect(await inner.ask(question)).toHaveProperty('error')
  await outcome
  expect(outlet.kinds).toEqual([])
})
