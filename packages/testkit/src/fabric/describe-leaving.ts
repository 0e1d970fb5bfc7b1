import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CallTarget } from '@junctor/contracts'
import type { Outcome } from '@junctor/exchange'
import { payloadOf, type Request } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { createRequest, recordExchange } from '../recorded-exchange.ts'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

/**
 * Tests what a fabric promises when a node leaves: calls to and from it end, others take over what it held, and
 * nothing hangs.
 */
export function describeFabricLeaving(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  /** A call from near to far whose handler never answers. */
  async function hangingCall(): Promise<{ readonly outcome: Promise<Outcome>; readonly notified: Promise<unknown> }> {
    const notified = Promise.withResolvers<unknown>()
    const started = Promise.withResolvers<void>()
    await pair.far.serve('backend', (_request, exchange) => {
      exchange.onEnd({ ended: notified.resolve })
      started.resolve()
      return new Promise<Outcome>(() => {})
    })
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
    await started.promise
    return { outcome, notified: notified.promise }
  }

  test('calls to a node that leaves end, and its handlers are notified', async () => {
    const { outcome, notified } = await hangingCall()
    await pair.far.close()
    expect(await notified).toBe('shutdown')
    const ended = await outcome
    expect(ended.kind === 'error' && ended.error.data?.value()).toMatchObject({ reason: 'backend_exited' })
  })

  test('calls from a node that leaves end, and the handlers are notified', async () => {
    const { outcome, notified } = await hangingCall()
    await pair.near.close()
    expect(await notified).toBe('disconnected')
    expect((await outcome).kind).toBe('error')
  })

  test('the open asks of a node that leaves are withdrawn', async () => {
    await pair.far.serve('backend', async (_request, exchange) => {
      await exchange.ask({ method: 'roots/list', params: undefined })
      return new Promise<Outcome>(() => {})
    })
    const { exchange, events, asks } = recordExchange()
    const outcome = pair.near.call({ service: 'backend' }, createRequest('m'), exchange)
    await eventually(() => expect(asks.size).toBe(1))
    await pair.far.close()
    await outcome
    expect(events.map((event) => event.kind)).toEqual(['ask', 'withdrawn'])
  })

  test('a node that has left cannot be called', async () => {
    await pair.far.serve('backend', () => new Promise<Outcome>(() => {}))
    const { node } = pair.far
    await pair.far.close()
    await eventually(async () => expect(await pair.near.send(node, { kind: 'k', body: 1 })).toBe(false))
    await eventually(async () => expect(await pair.near.send('all', { kind: 'k', body: 1 })).toBe(false))
    for (const to of [{ service: 'backend' }, { service: 'backend', node }]) {
      const outcome = await pair.near.call(to, createRequest('m'), recordExchange().exchange)
      expect(outcome.kind === 'error' && outcome.error.data?.value()).toMatchObject({ reason: 'backend_unavailable' })
    }
  })

  test.each([
    ['is the only one', [], 'refused'],
    ['has others in its place', ['near'], 'answered'],
  ] as const)('a call that arrives too late at a node that %s is answered, or may be retried', async (...given) => {
    const [, others, expected] = given
    const ran = new Set<unknown>()
    const handler = (request: Request): Outcome => {
      ran.add(request.id)
      return { kind: 'complete', result: payloadOf('done') }
    }
    await pair.far.serve('backend', handler)
    for (const other of others) await pair[other].serve('backend', handler)
    const { node } = pair.far

    let calls = 0
    const call = async (to: CallTarget): Promise<string> => {
      calls += 1
      const request = createRequest('m', {}, `late ${calls}`)
      const outcome = await pair.near.call(to, request, recordExchange().exchange)
      const hasRun = ran.has(request.id)
      if (outcome.kind !== 'error') return hasRun ? 'answered' : 'answered though it did not run'
      const { reason, retryable } = (outcome.error.data?.value() ?? {}) as { reason?: string; retryable?: boolean }
      // It was not run, so a retry does nothing twice.
      return reason === 'backend_unavailable' && retryable === true && !hasRun ? 'refused' : `${reason}, ran: ${hasRun}`
    }
    const late: Promise<string>[] = []
    const callTwice = (): void => void late.push(call({ service: 'backend' }), call({ service: 'backend', node }))
    // In transit when the node begins to leave, at each turn of that, and after it.
    callTwice()
    await nextTurn()
    const leaving = { isOver: false }
    const gone = pair.far.close().finally(() => (leaving.isOver = true))
    do {
      callTwice()
      await nextTurn()
    } while (!leaving.isOver)
    await gone
    expect(await call({ service: 'backend' })).toBe(expected)
    expect(await call({ service: 'backend', node })).toBe('refused')
    const ends = await Promise.all(late)
    expect(ends.filter((end) => end !== 'answered' && end !== 'refused')).toEqual([])
  })

  test('records of a node that has left can still be read by others', async () => {
    await pair.far.store('s', 60_000).put('key', 'value')
    await pair.far.log('l', { entries: 1, bytes: 100, ageMs: 60_000 }).append('key', 'entry')
    await pair.far.queue('q', 60_000).push('id', 'item')
    await pair.far.close()
    expect(await pair.near.store('s', 60_000).get('key')).toHaveProperty('value', 'value')
    expect(await pair.near.log('l', { entries: 1, bytes: 100, ageMs: 60_000 }).read('key', 0)).toHaveLength(1)
    expect(await pair.near.queue('q', 60_000).take(new AbortController().signal)).toHaveProperty('value', 'item')
  })

  test('items on loan to a node that leaves can be taken by others', async () => {
    await pair.near.queue('q', 5_000).push('id', 'item')
    const lost = await pair.far.queue('q', 5_000).take(new AbortController().signal)
    const taken = pair.near.queue('q', 5_000).take(new AbortController().signal)
    await pair.far.close()
    const lease = await taken
    expect(lease?.id).toBe('id')
    expect(lease?.fence).toBeGreaterThan(lost?.fence ?? Infinity)
  })

  test('what a node holds when it leaves may be taken by others', async () => {
    const held = await pair.far.queue('q', 60_000).hold('id', 'item')
    const taken = pair.near.queue('q', 60_000).take(new AbortController().signal)
    await pair.far.close()
    expect(await taken).toMatchObject({ id: 'id', value: 'item' })
    if (held.kind !== 'lent') throw new Error('expected a loan')
    expect(await held.lease.extend()).toBe(false)
  })

  test('callers that wait on a node that leaves are released', async () => {
    const taken = pair.near.queue('q', 60_000).take(new AbortController().signal)
    const changes = pair.near.nodes(new AbortController().signal)[Symbol.asyncIterator]()
    await changes.next()
    await changes.next()
    const next = changes.next()
    await pair.near.close()
    expect(await taken).toBeUndefined()
    expect(await next).toMatchObject({ done: true })
  })

  test('after close every operation fails, and none hangs', async () => {
    const store = pair.near.store('s', 60_000)
    const log = pair.near.log('l', { entries: 1, bytes: 100, ageMs: 60_000 })
    const queue = pair.near.queue('q', 60_000)
    await pair.far.serve('backend', () => new Promise(() => {}))
    await pair.near.close()
    await pair.near.close()
    const closed = { code: 'CLOSED' }
    await expect(store.get('key')).rejects.toMatchObject(closed)
    await expect(store.put('key', 1)).rejects.toMatchObject(closed)
    await expect(log.append('key', 'x')).rejects.toMatchObject(closed)
    await expect(queue.push('id', 1)).rejects.toMatchObject(closed)
    await expect(queue.hold('id', 1)).rejects.toMatchObject(closed)
    await expect(queue.take(new AbortController().signal)).rejects.toMatchObject(closed)
    await expect(pair.near.serve('backend', () => new Promise(() => {}))).rejects.toMatchObject(closed)
    expect(await pair.near.send('all', { kind: 'k', body: 1 })).toBe(false)
    const outcome = await pair.near.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
    expect(outcome.kind).toBe('error')
  })
}
