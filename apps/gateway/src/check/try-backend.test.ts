import { parseConfig } from '@junctor/config'
import { createBackend, definePlugin } from '@junctor/plugin-sdk'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tryBackend } from './try-backend.ts'

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

test('a backend that works and cannot be closed is up, with a warning that has the reason', async () => {
  const file = { backends: { careless: { plugin: 'careless' } } }
  const parsed = parseConfig(JSON.stringify(file), { file: 'junctor.json', plugins: [plugin], env: {} })
  const [backend] = parsed.kind === 'valid' ? parsed.config.backends : []
  if (parsed.kind === 'invalid' || backend === undefined) throw new Error('expected a backend')
  expect(await tryBackend(parsed.config, backend, 10_000, (text) => text)).toMatchObject({
    state: 'up',
    warnings: ['it did not close: no such file'],
  })
})
