import { compiledOnce } from '@junctor/testkit'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { onWire } from '../src/ftl/on-wire.ts'
import { verifies } from '../src/verifies.ts'

// The commands in the document of the profile `ftl`, with another port.

const here = { ways: ['http'], revisions: ['2024-11-05'] } as const
const forecast = { forecast: { plugin: 'forecast' } }
const run = promisify(execFile)

const curl = [
  `curl -X POST http://localhost:3000/mcp \\
  -H "Content-Type: application/json" \\
  -d '{"jsonrpc":"2.0","method":"tools/list","id":1}'`,
  `curl -X POST http://localhost:3000/mcp \\
  -H "Content-Type: application/json" \\
  -d '{
    "jsonrpc":"2.0",
    "method":"tools/call",
    "params": {
      "name": "example",
      "arguments": {"message": "Hello"}
    },
    "id": 2
  }'`,
] as const

verifies('E-16', here, async (cell) => {
  await onWire(cell, forecast, async (_ask, { gateway }) => {
    const at = (gateway.urls[0] ?? '').replace('127.0.0.1', 'localhost')
    const [listed, called] = await Promise.all(
      curl.map(async (command) => {
        const { stdout } = await run('sh', ['-c', command.replace('http://localhost:3000/mcp', at)])
        return JSON.parse(stdout) as unknown
      }),
    )
    expect(listed).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'weather' }, {}, {}, {}, {}] } })
    expect(called).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: 'You said: Hello' }] },
    })
  })
})

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> }
const inspector = join(dirname(manifest), bin['mcp-inspector'] ?? '')

verifies('E-17', here, async (cell) => {
  const home = mkdtempSync(join(tmpdir(), 'junctor-ftl-'))
  try {
    await onWire(cell, forecast, async (_ask, { gateway }) => {
      const inspect = async (...words: readonly string[]): Promise<unknown> => {
        const target = ['--transport', 'http', '--server-url', gateway.urls[0] ?? '']
        const env = { ...process.env, ...compiledOnce, HOME: home }
        const { stdout } = await run(process.execPath, [inspector, '--cli', ...target, ...words], { env })
        return JSON.parse(stdout)
      }
      expect(await inspect('--method', 'tools/list')).toMatchObject({ tools: [{ name: 'weather' }, {}, {}, {}, {}] })
      const words = ['--method', 'tools/call', '--tool-name', 'example', '--tool-arg', 'message=Hello']
      expect(await inspect(...words)).toEqual({ content: [{ type: 'text', text: 'You said: Hello' }] })
    })
  } finally {
    rmSync(home, { recursive: true })
  }
})
