import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { CheckResult } from '../src/check/check.ts'
import { startJunctor } from './junctor-process.ts'

// A process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const program = `process.stdin.on('data', (data) => { for (const line of String(data).trim().split('\\n')) {
  const { id, method } = JSON.parse(line)
  const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } }
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? initialize : { tools: [] } }))
} })`

test('check reports what a program that clients share cannot do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-shared-'))
  try {
    const command = { command: process.execPath, args: ['-e', program] }
    const backends = {
      own: command,
      tenant: { ...command, isolation: 'tenant' },
      shared: { ...command, isolation: 'shared' },
      here: { plugin: '@junctor/plugin-demo', isolation: 'shared' },
    }
    writeFileSync(join(folder, 'junctor.yaml'), JSON.stringify({ backends }))
    const junctor = startJunctor(['check', '--json'], { folder })
    expect(await junctor.ended()).toBe(0)
    const checked = (JSON.parse(junctor.stdout()) as CheckResult).backends
    const warned = checked.flatMap((backend) =>
      backend.state === 'up' && backend.warnings.length > 0 ? [backend] : [],
    )
    expect(warned.map(({ name }) => name)).toEqual(['tenant', 'shared'])
    expect(warned[1]?.warnings[0]).toMatch(/isolation: shared.*sampling, elicitation, roots.*logs/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
