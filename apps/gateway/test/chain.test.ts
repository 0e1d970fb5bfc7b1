import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckResult } from '../src/check/check.ts'
import { junctorProgram } from '@junctor/testkit'
import { createTestProcesses, type JunctorProcess, processTimeout } from './junctor-process.ts'

// Each test is several processes, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let folder: string
const testProcesses = createTestProcesses()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-chain-'))
})
afterEach(async () => {
  await testProcesses.end('SIGTERM')
  rmSync(folder, { recursive: true })
})

/** A file whose only backend is a gateway with the other file. */
function put(name: string, other: string): void {
  const below = {
    command: process.execPath,
    args: [junctorProgram, 'serve', '--stdio', '--config', join(folder, other)],
  }
  const listen = { http: { port: 0 } }
  writeFileSync(join(folder, name), JSON.stringify({ listen, backends: { below } }))
}

function start(words: readonly string[]): JunctorProcess {
  return testProcesses.start(words, { folder })
}

function gatewaysBelow(gateway: JunctorProcess): number {
  return gateway.descendants().filter(({ command }) => command.includes('serve --stdio')).length
}

test('a gateway that is its own backend starts itself once, and reports why it does not start again', async () => {
  put('self.json', 'self.json')
  const gateway = start(['serve', '--config', 'self.json', '--json', '--log-level', 'silent'])
  const ready = JSON.parse(await gateway.line(/^(\{.*"http":.*)\n/m)) as { backends: readonly object[] }
  expect(ready.backends).toMatchObject([{ name: 'below', tools: [] }])
  // The gateway that it started, or tries to start again, has started no other.
  expect(gatewaysBelow(gateway)).toBeLessThanOrEqual(1)
})

test('check reports which backend it is', async () => {
  put('self.json', 'self.json')
  const check = start(['check', '--config', 'self.json', '--json'])
  expect(await check.ended()).toBe(5)
  const { problems } = JSON.parse(check.stdout()) as CheckResult
  expect(problems).toMatchObject([
    { backend: 'below', kind: 'exited', got: expect.stringContaining('exited with code 3') },
  ])
  expect(problems[0]?.got).toContain('Take the backend that starts junctor out of')
})

test('a gateway can be the backend of a gateway with another file', async () => {
  put('one.json', 'two.json')
  writeFileSync(join(folder, 'two.json'), '{"backends":{"demo":{"plugin":"@junctor/plugin-demo"}}}')
  const gateway = start(['serve', '--config', 'one.json', '--json', '--log-level', 'silent'])
  // The report waits ten seconds for the gateway below, which on a busy machine are not always enough.
  const { http } = JSON.parse(await gateway.line(/^(\{.*"http":.*)\n/m)) as { http: string }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(http)))
  try {
    const names = async () => (await client.listTools()).tools.map(({ name }) => name)
    await expect.poll(names, processTimeout).toContain('below__demo__echo')
  } finally {
    await client.close()
  }
})
