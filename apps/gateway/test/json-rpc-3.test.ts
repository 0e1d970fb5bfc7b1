import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@junctor/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { processTimeout, startJunctor } from './junctor-process.ts'

// The requirements of JSON-RPC 3.0 are verified in apps/e2e, over each transport. Here the program and its demo meet.
test('the program answers JSON-RPC 3.0 on standard input with the methods of the demo, without `initialize`', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-three-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'junctor.yaml')
  writeFileSync(config, 'backends: { demo: { plugin: "@junctor/plugin-demo" } }\n')
  const junctor = startJunctor(['serve', '--stdio', '--config', config], { folder })
  onTestFinished(async () => {
    junctor.child.kill('SIGKILL')
    await junctor.ended()
  })
  const lines = (): readonly object[] =>
    junctor
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object)

  /** Sends a request. Resolves with as many lines of the answer as are expected. */
  async function ask(request: string, count: number): Promise<readonly object[]> {
    const before = lines().length
    junctor.child.stdin.write(`${request}\n`)
    await eventually(() => expect(lines().length).toBeGreaterThanOrEqual(before + count), processTimeout.timeout)
    return lines().slice(before)
  }

  expect(await ask('{"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}', 1)).toEqual([
    { jsonrpc: '3.0', result: 3, id: 1 },
  ])
  expect(
    await ask('{"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}', 3),
  ).toEqual([
    { jsonrpc: '3.0', stream: { id: 2, data: 'Log entry 1' } },
    { jsonrpc: '3.0', stream: { id: 2, data: 'Log entry 2' } },
    { jsonrpc: '3.0', stream: { id: 2 }, result: 'End of logs' },
  ])
  expect(await ask('{"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}', 2)).toEqual([
    { jsonrpc: '3.0', ack: {}, id: 3 },
    { jsonrpc: '3.0', result: 'Task completed', id: 3 },
  ])
  junctor.child.stdin.end()
  expect(await junctor.ended()).toBe(0)
})
