import type { FabricGauges } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { expect, test } from 'vitest'
import { createRequest, recordExchange } from '../recorded-exchange.ts'
import { type CreateFabrics, pairForEachTest } from './fabric-pair.ts'
import { eventually } from '../eventually.ts'

/** The tests of what a fabric reports about itself. */
export function describeFabricGauges(create: CreateFabrics): void {
  const pair = pairForEachTest(create)

  /** The gauges of both nodes, near first. */
  const read = <Value>(of: (gauges: FabricGauges) => Value): readonly Value[] =>
    [pair.near, pair.far].map((fabric) => of(fabric.gauges()))
  const calls = (): readonly string[] => read(({ placed, served }) => `${placed} placed, ${served} served`)

  test('a healthy node reports that, and the number of nodes', async () => {
    await eventually(() => expect(read(({ nodes }) => nodes)).toEqual([2, 2]))
    expect(read(({ connected, problem }) => [connected, problem])).toEqual([
      [true, undefined],
      [true, undefined],
    ])
    expect(read(({ reconnects }) => reconnects)).toEqual([0, 0])
    const none = { store: 0, log: 0, queue: 0 }
    expect(read(({ storageFailures }) => storageFailures)).toEqual([none, none])
  })

  test('calls to other nodes count while they are in flight', async () => {
    const gate = Promise.withResolvers<void>()
    await pair.far.serve('backend', async () => {
      await gate.promise
      return { kind: 'complete', result: payloadOf('done') }
    })
    const called = pair.near.call({ service: 'backend' }, createRequest('m'), recordExchange().exchange)
    await eventually(() => expect(calls()).toEqual(['1 placed, 0 served', '0 placed, 1 served']))
    gate.resolve()
    await called
    await eventually(() => expect(calls()).toEqual(['0 placed, 0 served', '0 placed, 0 served']))
  })

  test('a node that has left is not healthy', async () => {
    await pair.near.close()
    expect(pair.near.gauges().problem).toBeDefined()
  })
}
