import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { compiledOnce, untilNoDescendants } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GatewayUnderTest, startGateway } from '../../src/gateway-under-test.ts'
import { demo } from '../../src/in-gateway.ts'

const junctor = fileURLToPath(new URL('../../../../bin/junctor', import.meta.url))
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json')
const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Readonly<Record<string, string>> }
const inspector = join(dirname(manifest), bin['mcp-inspector'] ?? '')

let folder: string
let gateway: GatewayUnderTest
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-inspector-'))
  const file = join(folder, 'junctor.json')
  writeFileSync(file, JSON.stringify({ backends: { demo: demo() } }))
  // The Inspector itself would interpret a `--config` on its command line.
  const command = { type: 'stdio', command: junctor, args: ['serve', '--stdio', '--config', file] }
  writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { junctor: command } }))
  gateway = await startGateway({ nodes: 1, config: { backends: { demo: demo() } } })
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
  await untilNoDescendants()
})

/** The output of the Inspector for these words, with its own home for its files. */
async function inspect(target: readonly string[], words: readonly string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [inspector, '--cli', ...target, ...words], {
    env: { ...process.env, ...compiledOnce, HOME: folder },
  })
  return JSON.parse(stdout)
}

describe.each([
  { way: 'HTTP', target: () => ['--transport', 'http', '--server-url', gateway.urls[0] ?? ''] },
  { way: 'stdio', target: () => ['--config', join(folder, 'servers.json'), '--server', 'junctor'] },
])('inspector --cli over $way', ({ target }) => {
  test.each<{ words: readonly string[]; printed: object }>([
    {
      words: ['--method', 'tools/list'],
      printed: { tools: expect.arrayContaining([expect.objectContaining({ name: 'demo__add' })]) },
    },
    {
      words: ['--method', 'tools/call', '--tool-name', 'demo__add', '--tool-arg', 'a=2', 'b=3'],
      printed: { structuredContent: { sum: 5 } },
    },
    {
      words: ['--method', 'resources/read', '--uri', 'demo+demo://greeting/you'],
      printed: { contents: [{ text: 'Hello, you!' }] },
    },
    {
      words: ['--method', 'prompts/get', '--prompt-name', 'demo__greeting', '--prompt-args', 'name=Hedy'],
      printed: { messages: [{ content: { text: expect.stringContaining('Greet Hedy') } }] },
    },
  ])('$words.1', async ({ words, printed }) => {
    expect(await inspect(target(), words)).toMatchObject(printed)
  })
})
