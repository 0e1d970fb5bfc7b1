import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { silentLog } from '@junctor/contracts'
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '@junctor/config'
import { renewedCredentials, testCredentials } from '@junctor/testkit'
import { keepReloading } from './keep-reloading.ts'

const broken = new Error('broken')

it('an error while a new configuration is applied is reported to the node, which keeps its configuration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, '{}')
  const around = Object.assign(new EventEmitter(), { env: {} }) as unknown as NodeJS.Process
  const reported: unknown[] = []
  let reads = 0
  const source = {
    file,
    async read() {
      reads += 1
      if (reads === 2) throw broken
      return parseConfig('{}', { file, plugins: [], env: {} })
    },
  }
  const reloading = await keepReloading(source, around, silentLog)
  let reloads = 0
  reloading.serve({
    reload: async () => void (reloads += 1),
    uncaught: (error) => void reported.push(error),
  })
  around.emit('SIGHUP')
  await expect.poll(() => [reported, reloads]).toEqual([[broken], 0])
  around.emit('SIGHUP')
  await expect.poll(() => [reported, reloads]).toEqual([[broken], 1])
  await reloading.close()
})

it('reads one after the other, so that the newest configuration is applied last, and applies none after it is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, '{}')
  const around = Object.assign(new EventEmitter(), { env: {} }) as unknown as NodeJS.Process
  const waiting: PromiseWithResolvers<void>[] = []
  const applied: unknown[] = []
  let reads = 0
  const source = {
    file,
    async read() {
      reads += 1
      const read = reads
      if (read > 1) {
        const slow = Promise.withResolvers<void>()
        waiting.push(slow)
        await slow.promise
      }
      return { ...parseConfig('{}', { file, plugins: [], env: {} }), read }
    },
  }
  const reloading = await keepReloading(source, around, silentLog)
  reloading.serve({
    reload: async ({ read }) => void applied.push(read),
    uncaught: (error) => void applied.push(error),
  })
  for (let signal = 0; signal < 3; signal += 1) around.emit('SIGHUP')
  await expect.poll(() => reads).toBe(2)
  waiting[0]?.resolve()
  await expect.poll(() => [reads, applied]).toEqual([3, [2]])
  waiting[1]?.resolve()
  await expect.poll(() => [reads, applied]).toEqual([4, [2, 3]])
  await reloading.close()
  waiting[2]?.resolve()
  await setImmediate()
  expect(applied).toEqual([2, 3])
})

it('a SIGHUP while the process ends is still handled: without a handler the system would end the process by it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, '{}')
  const around = Object.assign(new EventEmitter(), { env: {} }) as unknown as NodeJS.Process
  let reads = 0
  const source = {
    file,
    async read() {
      reads += 1
      return parseConfig('{}', { file, plugins: [], env: {} })
    },
  }
  const reloading = await keepReloading(source, around, silentLog)
  reloading.serve({ reload: async () => {}, uncaught: () => {} })
  await reloading.close()
  expect(around.emit('SIGHUP')).toBe(true)
  await setImmediate()
  expect(reads).toBe(1)
})

it('a changed file of authorities is trusted by later connections', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-reload-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const trusted = getCACertificates('default')
  onTestFinished(() => setDefaultCACertificates(trusted))
  const [file, authorities] = [join(folder, 'junctor.json'), join(folder, 'ca.pem')]
  writeFileSync(file, '{}')
  writeFileSync(authorities, testCredentials.cert)
  const server = createServer(testCredentials, (_request, response) => void response.end('trusted'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const ask = () =>
    fetch(`https://127.0.0.1:${port}`, { headers: { connection: 'close' } }).then((answer) => answer.text())

  const env = { NODE_EXTRA_CA_CERTS: authorities }
  const around = Object.assign(new EventEmitter(), { env }) as unknown as NodeJS.Process
  const source = { file, read: async () => parseConfig('{}', { file, plugins: [], env: {} }) }
  const reloading = await keepReloading(source, around, silentLog)
  onTestFinished(() => reloading.close())
  let reloads = 0
  reloading.serve({ reload: async () => void (reloads += 1), uncaught() {} })
  await expect(ask()).rejects.toThrow('fetch failed')
  writeFileSync(authorities, `# of the company\n${testCredentials.cert}`)
  await expect.poll(() => reloads, { timeout: 30_000 }).toBe(1)
  expect(await ask()).toBe('trusted')
  server.setSecureContext(renewedCredentials)
  await expect(ask()).rejects.toThrow('fetch failed')
  writeFileSync(authorities, renewedCredentials.cert)
  await expect.poll(() => reloads, { timeout: 30_000 }).toBe(2)
  expect(await ask()).toBe('trusted')
  writeFileSync(authorities, 'nothing of use')
  await expect.poll(() => reloads, { timeout: 30_000 }).toBe(3)
  expect(await ask()).toBe('trusted')
  server.setSecureContext(testCredentials)
  await expect(ask()).rejects.toThrow('fetch failed')
})
