import { parseConfig } from '@junctor/config'
import { createBackend, definePlugin } from '@junctor/plugin-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type TriedBackend, tryBackend } from './try-backend.ts'

const plugin = definePlugin({
  name: 'careless',
  key: 'plugin',
  config: z.strictObject({}),
  create: (_options, { name }) =>
    createBackend({
      name,
      tools: [],
      close: () => {
        throw new Error('no such file')
      },
    }),
})

/** Tries the only backend of a configuration, which this plugin makes. */
async function tried(made: typeof plugin, timeoutMs: number): Promise<TriedBackend> {
  const file = { backends: { careless: { plugin: made.name } } }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [made], env: {} })
  const [backend] = parsed.kind === 'valid' ? parsed.config.backends : []
  if (parsed.kind === 'invalid' || backend === undefined) throw new Error('expected a backend')
  return await tryBackend(parsed.config, backend, timeoutMs, (text) => text)
}

test('a backend that works and cannot be closed is up, with a warning that has the reason', async () => {
  expect(await tried(plugin, 10_000)).toMatchObject({ state: 'up', unclosed: ['it did not close: no such file'] })
})

test('a backend whose last attempt has failed when the time is up is reported with the reason of that attempt', async () => {
  const waiting = definePlugin({
    ...plugin,
    create: (_options, { name, log }) => {
      log.warn('the process of a plugin did not start', { error: new Error('the licence is missing') })
      return createBackend({ name, tools: [], start: () => new Promise(() => {}) })
    },
  })
  expect(await tried(waiting, 1)).toMatchObject({
    state: 'failed',
    diagnosis: { got: 'the error: the licence is missing' },
  })
})
