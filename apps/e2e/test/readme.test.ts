import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listDescendants, untilGone, eventually } from '@junctor/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** Every command line in the README. */
const commands = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => block.trim().split('\n'))

const pnpm = 'npx -y pnpm@12.21.0'
const inspector = 'npx -y @modelcontextprotocol/inspector@2.12.0'
const listTools = `${inspector} --cli http://127.0.0.1:3000/mcp --transport http --method tools/list`
const callTool = `${inspector} --cli http://127.0.0.1:3000/mcp --transport http --method tools/call --tool-name demo__add --tool-arg a=2 --tool-arg b=3`
const serveFile = 'bin/junctor serve --config junctor.yaml'
const hashKey = 'openssl rand -hex 32 | tee key.txt | bin/junctor hash-key'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-readme-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('every command of the README is tested here', () => {
  expect(commands).toEqual([`${pnpm} start`, `${pnpm} test`, listTools, callTool, serveFile, hashKey])
})

describe(`${pnpm} start`, () => {
  let demo: ChildProcessWithoutNullStreams
  let url: string
  beforeAll(async () => {
    // The command that pnpm runs, without pnpm, which would ask the registry first; on a free port.
    demo = spawn(process.execPath, [...scriptFile('start'), '--port', '0'], { cwd: root })
    url = await ready(demo)
  })
  afterAll(() => stopped(demo))

  test('serves a demo with a plugin and a real file server', async () => {
    expect(await inspect(listTools, url)).toContain('files__read_text_file')
  })

  test('whose tools can be called', async () => {
    expect(JSON.parse(await inspect(callTool, url))).toMatchObject({ structuredContent: { sum: 5 } })
  })
})

test(`${pnpm} test runs an existing file`, () => {
  const [file = ''] = scriptFile('test')
  expect(readFileSync(join(root, file), 'utf8')).toContain('vitest')
})

test(`${serveFile} serves the content of the file`, async () => {
  writeFileSync(join(folder, 'junctor.yaml'), 'backends: { demo: { plugin: "@junctor/plugin-demo" } }\n')
  const [, ...words] = serveFile.split(' ')
  const gateway = spawn(join(root, 'bin/junctor'), [...words, '--port', '0'], { cwd: folder })
  expect(await inspect(listTools, await ready(gateway))).toContain('demo__add')
  await stopped(gateway)
})

test(`${hashKey} prints a hash and writes the key`, async () => {
  const command = hashKey.replace('bin/junctor', JSON.stringify(join(root, 'bin/junctor')))
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder })
  expect(stdout).toMatch(/^sha256:[0-9a-f]{64}\n$/)
  expect(readFileSync(join(folder, 'key.txt'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
})

test('the file for Claude Desktop names an existing command, with valid options', async () => {
  const json = /^```json\n(.*?)^```$/ms.exec(readme)?.[1] ?? ''
  const { junctor } = (JSON.parse(json) as { mcpServers: Record<string, { command: string; args: string[] }> })
    .mcpServers
  const command = (junctor?.command ?? '').replace('/path/to/junctor', root)
  const words = (junctor?.args ?? []).map((word) => word.replace('/path/to', folder))
  writeFileSync(join(folder, 'junctor.yaml'), 'backends: { demo: { plugin: "@junctor/plugin-demo" } }\n')
  const gateway = spawn(command, words)
  const closed = once(gateway, 'close')
  gateway.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  const [answer] = (await once(gateway.stdout, 'data')) as [Buffer]
  expect(JSON.parse(answer.toString())).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  expect(await closed).toEqual([0, null])
})

/** The words after `node` in a script of the root package. */
function scriptFile(name: string): readonly string[] {
  const [program, ...words] = (manifest.scripts[name] ?? '').split(' ')
  expect(program).toBe('node')
  return words
}

/** Runs an Inspector command with the installed Inspector, against the real port. */
async function inspect(command: string, url: string): Promise<string> {
  const file = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json'))
  const installed = JSON.parse(readFileSync(file, 'utf8')) as { version: string; bin: Record<string, string> }
  expect(command).toContain(`@modelcontextprotocol/inspector@${installed.version} `)
  const program = join(dirname(file), installed.bin['mcp-inspector'] ?? '')
  const words = command
    .slice(inspector.length + 1)
    .replace('http://127.0.0.1:3000/mcp', url)
    .split(' ')
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words])
  return stdout
}

async function ready(gateway: ChildProcessWithoutNullStreams): Promise<string> {
  let stderr = ''
  gateway.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return eventually(() => {
    expect(stderr).toMatch(/^Ready on http:/m)
    return /^Ready on (http:\S+)$/m.exec(stderr)?.[1] ?? ''
  }, 15_000)
}

async function stopped(gateway: ChildProcessWithoutNullStreams): Promise<void> {
  const closed = once(gateway, 'close')
  const processes = listDescendants(gateway.pid)
  gateway.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
  await untilGone(processes)
}
