import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = `
  const { createMemoryBus, createMemoryFabric } = await import(${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)})
  const fabric = createMemoryFabric(createMemoryBus())
  await fabric.store('s', 3_600_000).put('key', 1)
  await fabric.queue('q', 3_600_000).push('id', 1)
  await fabric.queue('q', 3_600_000).take(new AbortController().signal)
  void fabric.queue('q', 3_600_000).take(new AbortController().signal)
  console.log('done')
`

test('timers of a bus do not keep the process alive', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout).toBe('done\n')
})
