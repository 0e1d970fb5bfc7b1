import { expect, it } from 'vitest'
import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import { connectNats } from '@junctor/nats'
import { createBackend, definePlugin, type Plugin } from '@junctor/plugin-sdk'
import { startNatsServer } from '@junctor/testkit'
import * as z from 'zod'
import { createWorker } from '../src/index.ts'

const empty = definePlugin({
  name: 'empty',
  key: 'empty',
  config: z.object({ empty: z.boolean() }),
  create: (_config, { name, log }) => createBackend({ name, log, tools: [] }),
}) as unknown as Plugin

it('makes its backends visible to service discovery on NATS while it holds them', async () => {
  const server = await startNatsServer()
  const fabric = { nats: { servers: [server.url], key: 'k'.repeat(32) } }
  const file = {
    fabric,
    server: { name: 'w', version: '2.0.0' },
    backends: { far: { empty: true, runsOn: 'workers' } },
  }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [empty], env: {} })
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const worker = await createWorker({ config: parsed.config })
  const connection = await connectNats({ servers: [server.url] }, silentLog)
  const info = await connection.request('$SRV.INFO.far', '', { timeout: 5_000 })
  expect(info.json()).toMatchObject({
    name: 'far',
    id: worker.node,
    version: '2.0.0',
    metadata: { cluster: 'junctor', node: worker.node },
    endpoints: [{ subject: 'junctor.v1.junctor.call.far', queue_group: 'far' }],
  })
  await worker.close()
  await expect(connection.request('$SRV.PING.far', '', { timeout: 5_000 })).rejects.toThrow('no responders')
  await connection.close()
  await server.stop()
})
