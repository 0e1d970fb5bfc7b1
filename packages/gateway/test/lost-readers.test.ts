import { expect, test } from 'vitest'
import type { Fabric } from '@junctor/contracts'
import { payloadOf } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { serviceNames } from '../src/nodes/service-names.ts'
import { DerivedExchange } from '../src/shared/derived-exchange.ts'
import { createTestBackend } from './support/test-backend.ts'
import { openClient, type TestClient } from './support/test-client.ts'
import { identityOf, startNodes, tenantOf } from './support/test-nodes.ts'

// The client of a stream is lost while messages are on their way from the node of its session to the node that it reads
// from. It has no event id yet, so it cannot name what it misses.

/** A session at the first of two nodes. What a node sends to a reader at the other one arrives when the test lets it. */
async function start() {
  const onTheirWay: (() => unknown)[] = []
  const delayed = (fabric: Fabric): Fabric => {
    const call: Fabric['call'] = fabric.call.bind(fabric)
    return Object.assign(fabric, {
      call: ((to, request, exchange) => {
        if (to.service !== serviceNames.resume) return call(to, request, exchange)
        const chunk = (data: unknown): undefined => void onTheirWay.push(() => exchange.chunk(data))
        return call(to, request, new DerivedExchange(exchange, { chunk }))
      }) satisfies Fabric['call'],
    })
  }
  const backend = createTestBackend()
  const { gateways } = await startNodes([[tenantOf([backend.entry])], [tenantOf([backend.entry])]], {}, delayed)
  const [one, two] = gateways.map(({ front }) => front)
  if (one === undefined || two === undefined) throw new Error('no nodes')
  const client = await openClient(one, identityOf('ada'))
  await client.request('tools/call', { name: 'one__echo', arguments: {} }).answer()
  const link = backend.links.find(({ scope }) => scope.session === client.session.id)
  const log = (data: string): void =>
    link?.client.notify({ method: 'notifications/message', params: payloadOf({ level: 'info', data }) })
  return {
    client,
    there: await client.at(two),
    log,
    onTheirWay,
    /** Lets so many of them arrive. */
    arrive: (count: number) => onTheirWay.splice(0, count).forEach((each) => each()),
  }
}

const logged = ({ seen }: ReturnType<TestClient['resume']>): readonly unknown[] =>
  seen.map(({ params }) => (params as { data?: unknown }).data)

test('the next reader gets what was not written to the lost one, and nothing twice', async () => {
  const { client, there, log, onTheirWay, arrive } = await start()
  const first = there.resume()
  for (const data of ['a', 'b', 'c']) log(data)
  // The opening of the stream comes first.
  await eventually(() => expect(onTheirWay).toHaveLength(4))
  arrive(2)
  expect(logged(first)).toEqual(['a'])
  first.owner?.lost()
  const second = client.resume()
  await eventually(() => expect(logged(second)).toEqual(['b', 'c']))
  arrive(2)
  log('d')
  await eventually(() => expect(logged(second)).toEqual(['b', 'c', 'd']))
  expect(logged(first)).toEqual(['a'])
})

test('messages wait for the next reader when the lost one got nothing at all', async () => {
  const { there, log, onTheirWay, arrive } = await start()
  for (const data of ['a', 'b']) log(data)
  const first = there.resume()
  await eventually(() => expect(onTheirWay).toHaveLength(3))
  first.owner?.lost()
  const second = there.resume()
  await eventually(() => expect(onTheirWay).toHaveLength(6))
  arrive(6)
  expect(logged(second)).toEqual(['a', 'b'])
  expect(logged(first)).toEqual([])
})

test('nothing is sent again when another reader has continued', async () => {
  const { client, there, log, onTheirWay, arrive } = await start()
  const first = there.resume()
  log('a')
  await eventually(() => expect(onTheirWay).toHaveLength(2))
  const second = client.resume()
  log('b')
  first.owner?.lost()
  arrive(2)
  log('c')
  await eventually(() => expect(logged(second)).toEqual(['b', 'c']))
})

test('nothing is sent twice when the client reads on at the home, and the loss of its reader is reported after that', async () => {
  const { client, there, log, onTheirWay, arrive } = await start()
  const first = there.resume()
  for (const data of ['a', 'b']) log(data)
  await eventually(() => expect(onTheirWay).toHaveLength(3))
  arrive(2)
  expect(logged(first)).toEqual(['a'])
  const second = client.resume(first.eventIds.at(-1))
  first.owner?.lost()
  log('c')
  await eventually(() => expect(logged(second)).toContain('c'))
  log('d')
  await eventually(() => expect(logged(second)).toEqual(['b', 'c', 'd']))
})
