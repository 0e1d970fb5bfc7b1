import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import { createNatsFabric } from '@junctor/fabric-nats'
import type { JsonObject } from '@junctor/jsonrpc'
import { connectNats } from '@junctor/nats'
import { eventually, type NatsServer, startNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNode } from '../src/index.ts'
import { createGreeter } from './greeter.ts'
import { open, post } from './mcp-post.ts'

// The clock of one node of a cluster is five minutes wrong.

const key = 'a secret of the test cluster, which is long'
let server: NatsServer

beforeAll(async () => {
  server = await startNatsServer()
})

afterAll(async () => {
  await server.stop()
})

async function startNode(late: () => Promise<void>, cluster: string, aheadMs: number) {
  const { plugin } = createGreeter(late)
  const file = { listen: { http: { port: 0 } }, backends: { ours: { greet: 'hi' } }, limits: { drainDelay: '1ms' } }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const connection = await connectNats({ servers: [server.url] }, silentLog)
  const now = (): number => Date.now() + aheadMs
  const fabric = await createNatsFabric({ connection, cluster, keys: [key], log: silentLog, now })
  const node = await createNode({ config: parsed.config, fabric })
  const { http } = await node.listen()
  const close = async (): Promise<void> => {
    await node.close()
    await connection.close()
  }
  return { url: http.url, close }
}

test.each([
  ['ahead', 300_000],
  ['behind', -300_000],
])(
  'a task with a lifetime of one minute lives that long at all nodes when one clock is five minutes %s',
  async (name, by) => {
    const gate = Promise.withResolvers<void>()
    const late = (): Promise<void> => gate.promise
    const nodes = [await startNode(late, name, 0), await startNode(late, name, by)] as const
    const urls = nodes.map(({ url }) => url)
    const waiting: (readonly [url: string, session: string, task: string])[] = []
    for (const [index, url] of urls.entries()) {
      // oxlint-disable no-await-in-loop -- one after the other
      const session = await open(url)
      // Enough tasks that both nodes run some.
      for (let id = 1; id <= 4; id += 1) {
        const params = { name: 'ours__wait', arguments: {}, task: { ttl: 60_000 } }
        const { body } = await post(url, { id, method: 'tools/call', params }, session)
        const { task } = body['result'] as { task: { taskId: string; ttl: number } }
        expect(task.ttl).toBe(60_000)
        waiting.push([urls[1 - index] as string, session, task.taskId])
      }
      // oxlint-enable no-await-in-loop
    }
    const states = (): Promise<unknown[]> =>
      Promise.all(
        waiting.map(async ([url, session, taskId]) => {
          const { body } = await post(url, { id: taskId, method: 'tasks/get', params: { taskId } }, session)
          return (body['result'] as JsonObject | undefined)?.['status'] ?? body
        }),
      )
    expect(await states()).toEqual(waiting.map(() => 'working'))
    gate.resolve()
    await eventually(async () => expect(await states()).toEqual(waiting.map(() => 'completed')))
    await Promise.all(nodes.map(({ close }) => close()))
  },
)
