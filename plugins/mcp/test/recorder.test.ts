import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, emitNothing, silentLog } from '@junctor/plugin-sdk/link'
import { openBackend, playBackend, recordBackend, type TestClient } from '@junctor/plugin-sdk/testing'
import { describeBackend, programFile } from '@junctor/testkit'
import { createGuard } from '@junctor/transport-stdio/back'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMcpBackend } from '../src/index.ts'

// A session with a server of the official SDK, in a process of its own, is recorded and played back.
const guard = createGuard(silentLog)
afterAll(() => guard.close())

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-recorder-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function childOf(server: string): Promise<Backend> {
  const program = programFile(new URL('./servers/stdio-main.ts', import.meta.url))
  const config = { command: process.execPath, args: [program, server], env: {} }
  return createMcpBackend({ name: 'child', config, folder: '/', log: silentLog, emit: emitNothing, guard })
}

/** Everything that a client sees in one session, in order. */
async function session(client: TestClient): Promise<readonly unknown[]> {
  const seen: unknown[] = []
  const watching = {
    onProgress: (progress: unknown) => void seen.push({ progress }),
    onLog: (params: unknown) => void seen.push({ log: params }),
    onElicit(params: object) {
      seen.push({ asked: params })
      return { action: 'accept', content: { name: 'Ada' } }
    },
  }
  const call = async (name: string, input: object = {}): Promise<void> => {
    seen.push(await client.callTool(name, input, watching).catch((error: unknown) => ({ failed: String(error) })))
  }
  seen.push(client.server.info, await client.listTools(), await client.listResources(), await client.listPrompts())
  await call('echo', { text: 'one' })
  await call('echo', { text: 'two' })
  await call('steps')
  await call('ask', { text: 'Who are you?' })
  await call('log', { text: 'a secret-4711 in a log' })
  await call('echo', { text: 'one' })
  await call('echo', { text: 'my secret-4711' })
  await call('no.such.tool')
  const controller = new AbortController()
  const waiting = client.callTool('wait', {}, { signal: controller.signal })
  controller.abort()
  seen.push(await waiting.catch(String))
  return seen
}

describe.each(['v1', 'v2'])('a server of SDK %s', (server) => {
  test('is recorded, and played back with equal results and events', async () => {
    const file = join(folder, 'session.jsonl')
    const redact = [/secret-\d+/]
    const real = await openBackend(recordBackend(await childOf(server), { file, redact }))
    const recorded = await session(real)
    await real.close()
    expect(JSON.stringify(recorded)).toContain('secret-4711')
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('secret-4711')
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind),
    ).toEqual(
      expect.arrayContaining(['recording', 'open', 'list', 'call', 'progress', 'ask', 'answer', 'end', 'outcome']),
    )

    const played = await openBackend(playBackend({ file, redact }))
    const expected = JSON.parse(JSON.stringify(recorded).replaceAll('secret-4711', '***')) as unknown
    expect(JSON.parse(JSON.stringify(await session(played)))).toEqual(expected)
    await expect(played.callTool('echo', { text: 'three' })).rejects.toThrow(
      /tools\/call \{"arguments":\{"text":"three"\},"name":"echo"\} was not recorded in .*; the nearest is tools\/call \{"arguments":\{"text":"\w+"\},"name":"echo"\} in line \d+/,
    )
    await expect(played.callTool('echo', { text: 'two' })).rejects.toThrow(
      /was recorded once in .* \(line \d+\), and this/,
    )
    await played.close()
  })
})

describeBackend(
  'a recorded server of SDK version 1',
  { echo: 'echo', steps: 'steps', wait: 'wait', ask: 'ask', log: 'log' },
  async () => ({ backend: recordBackend(await childOf('v1'), { file: join(folder, 'contract.jsonl') }) }),
)
