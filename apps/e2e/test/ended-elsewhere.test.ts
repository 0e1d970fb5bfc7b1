import { randomBytes } from 'node:crypto'
import type { JsonObject } from '@junctor/jsonrpc'
import { expect } from 'vitest'
import { demo } from '../src/in-gateway.ts'
import { natsTest } from '../src/nats-test.ts'
import { startNodeProcess } from '../src/node-process.ts'
import { textOf } from '../src/result-of.ts'
import { type AtNode, openSessionAtNodes } from '../src/session-at-nodes.ts'

// Sessions that are ended on another node than their home node, with running work.

const rounds = 4
const callsEach = 10
const params: JsonObject = { name: 'demo__echo', arguments: { message: 'here' } }
const echo = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'tools/call', params })

natsTest('a session that is deleted at either node, with queued calls, ends no node', async ({ nats }) => {
  const [cluster, key] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
  const config = { backends: { demo: demo() }, fabric: { nats: { servers: [nats.url], cluster, key } } }
  const nodes = await Promise.all([startNodeProcess(config), startNodeProcess(config)])
  const urls = nodes.map(({ url }) => url)
  for (let round = 0; round < rounds; round += 1) {
    const session = await openSessionAtNodes(urls, { headers: { prefer: 'respond-async' } })
    const atNodes = session.nodes as readonly [AtNode, AtNode]
    const queued = Array.from({ length: callsEach }, (_, id) => atNodes[(id + round) % 2]?.post(echo(id)))
    // oxlint-disable-next-line no-await-in-loop
    for (const answer of queued) expect((await answer)?.status).toBe(202)
    expect((await atNodes[(round + 1) % 2]?.delete())?.status).toBe(204)
    await session.close()
  }
  expect(nodes.map(({ process }) => process.exitCode)).toEqual([null, null])
  const after = await openSessionAtNodes(urls)
  for (const node of after.nodes) expect(textOf(await node.request('tools/call', params))).toBe('here')
  await after.close()
})
