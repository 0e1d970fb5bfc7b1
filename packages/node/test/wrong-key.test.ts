import { parseConfig } from '@junctor/config'
import { eventually, startNatsServer } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { createSdkClientTransport } from '@junctor/transport-nats'
import { connect } from '@nats-io/transport-node'
import { createNode, createWorker } from '../src/index.ts'
import { createGreeter } from './greeter.ts'

const plugins = [createGreeter(async () => {}).plugin]
const token = 'a-token-for-tests'

test('a gateway or worker with a key of another cluster starts, is not ready, and reports why', async () => {
  const server = await startNatsServer()
  const configOf = (letter: string) => {
    const file = {
      fabric: { nats: { servers: [server.url], key: letter.repeat(32) } },
      listen: { http: { port: 0 }, admin: { port: 0, token }, nats: true },
      auth: { anonymous: true },
      backends: { far: { greet: 'hi', runsOn: 'workers' } },
    }
    const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins, env: {} })
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
    return parsed.config
  }
  const readiness = async (url = ''): Promise<[number, string]> => {
    const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } })
    return [answer.status, await answer.text()]
  }
  const own = await createNode({ config: configOf('a') })
  const { admin } = await own.listen()
  await eventually(async () => expect((await readiness(admin?.url))[0]).toBe(200))
  const stranger = await createNode({ config: configOf('b') })
  const { admin: strange } = await stranger.listen()
  const worker = await createWorker({ config: configOf('b') })
  const working = await worker.listenAdmin()
  for (const url of [strange?.url, working?.url]) {
    expect(await readiness(url)).toEqual([503, expect.stringContaining('wrong_cluster_key')])
  }
  expect((await readiness(admin?.url))[0]).toBe(200)
  // Only nodes of the cluster serve clients on the bus.
  const connection = await connect({ servers: server.url })
  const join = async (): Promise<void> => {
    const transport = createSdkClientTransport({ connection, client: 'any' })
    try {
      await transport.start()
    } finally {
      await transport.close()
    }
  }
  for (let turn = 0; turn < 10; turn += 1) {
    // oxlint-disable-next-line no-await-in-loop
    await join()
  }
  await own.close()
  await expect(join()).rejects.toMatchObject({ code: 'BACKEND_UNREACHABLE' })
  await connection.close()
  await Promise.all([worker, stranger].map((node) => node.close()))
  await server.stop()
})
