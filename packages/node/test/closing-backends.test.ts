import { parseConfig } from '@junctor/config'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createBackend, definePlugin } from '@junctor/plugin-sdk'
import { afterEach, expect, test, vi } from 'vitest'
import * as z from 'zod'
import { createNode } from '../src/index.ts'

const closed: string[] = []
let mayCreate: Promise<void> = Promise.resolve()

const plugin = definePlugin({
  name: 'closing',
  key: 'closes',
  config: z.object({ closes: z.boolean() }),
  async create({ closes }, { name }) {
    await mayCreate
    return createBackend({
      name,
      async close() {
        if (!closes) await new Promise(() => {})
        closed.push(name)
      },
    })
  },
})

afterEach(() => {
  vi.useRealTimers()
  closed.length = 0
  mayCreate = Promise.resolve()
})

async function startNode(backends: object) {
  const read = (of: object) =>
    parseConfig(JSON.stringify({ backends: of }), { file: 'junctor.json', plugins: [plugin], env: {} })
  const parsed = read(backends)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const node = await createNode({ config: parsed.config, fabric: createMemoryFabric(createMemoryBus()) })
  return { node, reload: (of: object) => node.reload(read(of)) }
}

test('a backend whose close never ends does not keep the node from ending, and is named', async () => {
  const { node } = await startNode({ good: { closes: true }, stuck: { closes: false } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const closing = node.close().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(11_000)
  expect(String(await closing)).toContain('not every backend closed cleanly: stuck')
  expect(closed).toEqual(['good'])
})

test('a backend that a reload has removed, and whose close never ends, does not either', async () => {
  const { node, reload } = await startNode({ good: { closes: true }, stuck: { closes: false } })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  expect(await reload({ good: { closes: true } })).toMatchObject({ kind: 'taken' })
  const closing = node.close()
  await vi.advanceTimersByTimeAsync(30_000)
  await closing
  expect(closed).toEqual(['good'])
})

test('a backend that a reload is still making when its node closes is closed, and no later reload is taken', async () => {
  const { node, reload } = await startNode({ first: { closes: true } })
  const { promise, resolve } = Promise.withResolvers<void>()
  mayCreate = promise
  const reloading = reload({ second: { closes: true } })
  const closing = node.close()
  const late = reload({ third: { closes: true } }).catch((error: unknown) => error)
  resolve()
  await Promise.all([reloading, closing])
  expect(closed).toEqual(['first', 'second'])
  expect(await late).toMatchObject({ code: 'CLOSED' })
})
