import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@junctor/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '@junctor/config'
import { keepReloading } from './keep-reloading.ts'

const broken = new Error('broken')

it('an error while a new configuration is applied is reported to the node, which keeps its configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, '{}')
  const around = new EventEmitter() as unknown as NodeJS.Process
  const reported: unknown[] = []
  let reads = 0
  const source = {
    file,
    read() {
      reads += 1
      if (reads === 2) throw broken
      return parseConfig('{}', { file, plugins: [], env: {} })
    },
  }
  const reloading = keepReloading(source, around, silentLog)
  let reloads = 0
  reloading.serve({
    reload: async () => void (reloads += 1),
    uncaught: (error) => void reported.push(error),
  })
  around.emit('SIGHUP')
  expect([reported, reloads]).toEqual([[broken], 0])
  around.emit('SIGHUP')
  expect([reported, reloads]).toEqual([[broken], 1])
  await reloading.close()
})
