import { getHeapStatistics } from 'node:v8'
import type { Origin } from '@junctor/contracts'
import type { Outcome, SinkOwner } from '@junctor/exchange'
import { payloadFromText, payloadOf, requestId } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { createTestBackend } from './support/test-backend.ts'
import { openClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'
import { memoryOf } from '../src/shared/large-requests.ts'

/** Two requests of this length have room, and a third has not: a bracket counts for its object, and is cheap in a text. */
const large = Math.floor((0.37 * getHeapStatistics().heap_size_limit) / 2 / memoryOf('['))

it('large requests that are more than the memory can hold are refused until others have ended', async () => {
  const backend = createTestBackend()
  const end = Promise.withResolvers<Outcome>()
  backend.behaviour.call = () => end.promise
  const { gateways } = await startNodes(() => [tenantOf([backend.entry])])
  const [gateway] = gateways
  if (gateway === undefined) throw new Error('no gateway')
  const { session } = await openClient(gateway.front, identityOf())
  let ids = 100
  /** Returns the answer, now or later. */
  const call = (length: number): string[] => {
    const seen: string[] = []
    const origin: Origin = { transport: 'http', identity: identityOf(), session, revision: undefined, dialect: '2.0' }
    const sink = {
      owner: undefined as SinkOwner | undefined,
      resumable: false,
      open() {},
      send: (text: string): undefined => void seen.push(text),
    }
    const params = { name: 'one__echo', arguments: { text: '['.repeat(length) } }
    // A transport keeps the text of a large request.
    const payload = length > 0 ? payloadFromText(JSON.stringify(params)) : payloadOf(params)
    const id = requestId((ids += 1))
    void gateway.front.receive(
      { kind: 'request', dialect: '2.0', id, method: 'tools/call', params: payload },
      origin,
      sink,
    )
    return seen
  }
  const first = [call(large), call(large)]
  await eventually(() => expect(backend.links.flatMap(({ requests }) => requests)).toHaveLength(2))
  expect(call(large).join()).toContain('This node has no memory for another request')
  const small = call(0)
  await eventually(() => expect(backend.links.flatMap(({ requests }) => requests)).toHaveLength(3))
  end.resolve({ kind: 'complete', result: payloadOf({}) })
  await eventually(() => expect([...first, small].map(({ length }) => length)).toEqual([1, 1, 1]))
  const later = call(large)
  await eventually(() => expect(later.join()).toContain('"result"'))
})
