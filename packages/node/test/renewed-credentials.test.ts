import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig } from '@junctor/config'
import { silentLog } from '@junctor/contracts'
import { eventually, expiredCertificate, renewedCredentials, startNatsServer, testCredentials } from '@junctor/testkit'
import { definePlugin } from '@junctor/plugin-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createNode } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'junctor-credentials-'))
const inFolder = (name: string): string => join(folder, name)

/** What the server asks for from its next start on. */
function serve({ cert, key }: typeof testCredentials, password: string): void {
  writeFileSync(inFolder('crt'), cert)
  writeFileSync(inFolder('key'), key)
  const tls = `tls { cert_file: "${inFolder('crt')}", key_file: "${inFolder('key')}" }`
  writeFileSync(inFolder('conf'), `${tls}\nauthorization: { user: me, password: ${password} }`)
}

test('renewed credentials for NATS are used at the next connection; what cannot be used is refused', async () => {
  serve(testCredentials, 'first')
  const server = await startNatsServer({ args: ['-c', inFolder('conf')] })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const failing = definePlugin({
    name: 'failing',
    key: 'failing',
    config: z.strictObject({ failing: z.boolean() }),
    create() {
      throw new Error('never')
    },
  })
  const parsed = (more: object, backends: object = {}) => {
    const servers = [`tls://127.0.0.1:${server.port}`]
    const fabric = { nats: { servers, key: 'k'.repeat(32), user: 'me', ...more } }
    return parseConfig(JSON.stringify({ fabric, backends }), { file: 'junctor.json', plugins: [failing], env: {} })
  }
  const first = parsed({ password: 'first', tls: { ca: testCredentials.cert } })
  if (first.kind === 'invalid') throw new Error(JSON.stringify(first.problems))
  const messages: string[] = []
  const warnings: unknown[] = []
  const note = (message: string): void => void messages.push(message)
  const warn = (message: string, fields?: object): void => void warnings.push({ message, ...fields })
  const node = await createNode({ config: first.config, log: { ...silentLog, info: note, warn } })
  onTestFinished(() => node.close())
  const unusable = { tls: { ca: testCredentials.cert, key: 'no key' } }
  expect(await node.reload(parsed(unusable))).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('fabric.nats.tls'),
  })
  const expired = { ca: testCredentials.cert, cert: expiredCertificate, key: testCredentials.key }
  const message = 'a certificate of fabric.nats.tls has expired: servers refuse it'
  expect(await node.reload(parsed({ tls: expired }, { one: { failing: true } }))).toMatchObject({ kind: 'refused' })
  expect(warnings).not.toContainEqual(expect.objectContaining({ message }))
  expect(await node.reload(parsed({ tls: expired }))).toMatchObject({ kind: 'taken' })
  expect(warnings).toContainEqual(expect.objectContaining({ message, validTo: '2025-01-01T00:00:00.000Z' }))
  const renewed = parsed({ password: 'second', tls: { ca: renewedCredentials.cert } })
  expect(await node.reload(renewed)).toMatchObject({ kind: 'taken', changes: { restart: [] } })
  serve(renewedCredentials, 'second')
  await server.restart()
  await eventually(() => expect(messages).toContain('connected to NATS again'))
})
