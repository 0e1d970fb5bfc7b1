import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { linkedNode } from '../src/init/linked-node.ts'
import { type JunctorProcess, startJunctor } from './junctor-process.ts'
import { startOnTerminal } from './terminal-process.ts'

// Each test is a process or more, and a start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-init-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const cursor = {
  mcpServers: {
    GitHub: { command: 'npx', args: ['-y', 'github'], env: { GITHUB_TOKEN: 'ghp_plain' }, autoApprove: [] },
  },
}
const vsCode = { servers: { search: { type: 'http', url: 'https://mcp.example.com/mcp' } } }

function put(path: string, value: object): string {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, JSON.stringify(value))
  return file
}

function init(words: readonly string[]): JunctorProcess {
  return startJunctor(['init', ...words], { folder, env: { HOME: folder } })
}

const written = (): unknown => parse(readFileSync(join(folder, 'junctor.yaml'), 'utf8'))

test('--yes takes over all found servers, warns of secrets, and shows what to do next', async () => {
  put('.cursor/mcp.json', cursor)
  put('.vscode/mcp.json', vsCode)
  const junctor = init(['--yes', '--port', '4000', '--profile', 'n8n'])
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stderr()).toBe('')
  expect(written()).toEqual({
    listen: { http: { port: 4000 } },
    profile: 'n8n',
    backends: {
      github: { command: 'npx', args: ['-y', 'github'], env: { GITHUB_TOKEN: 'ghp_plain' }, cwd: folder },
      search: { url: 'https://mcp.example.com/mcp' },
    },
  })
  const text = junctor.stdout()
  expect(text).toContain('Wrote junctor.yaml with the backends github, search.')
  expect(text).toContain(join(folder, '.cursor/mcp.json'))
  expect(text).toContain('mcpServers.GitHub.autoApprove: ')
  expect(text).toContain('\n  backends.github.env.GITHUB_TOKEN\n')
  expect(text).not.toContain('ghp_plain')
  expect(text).toContain('\n  junctor check\n  junctor serve\n')
  expect(statSync(join(folder, 'junctor.yaml')).mode & 0o777).toBe(0o600)
})

test('the snippet for a client starts a gateway with the written file', async () => {
  const junctor = init(['--backend', 'demo2=node server.js', '--output', 'my gateway.yaml'])
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toContain('  junctor check --config "my gateway.yaml"\n')
  const snippet = JSON.parse(junctor.stdout().slice(junctor.stdout().indexOf('{'))) as {
    mcpServers: { junctor: { command: string; args: readonly string[] } }
  }
  const { command, args } = snippet.mcpServers.junctor
  expect(command).toBe(linkedNode(process.execPath))
  expect(args.slice(1)).toEqual(['serve', '--stdio', '--config', join(folder, 'my gateway.yaml')])
  const served = startJunctor(args.slice(1), { folder })
  served.child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
  expect(await served.ended()).toBe(0)
  expect(served.stdout()).toContain('"id":1')
})

test('this gateway in the file of a client is left out, with a report, also when it is the only server', async () => {
  const junctor = { command: 'junctor', args: ['serve', '--stdio'] }
  const alone = put('.cursor/mcp.json', { mcpServers: { junctor } })
  const first = init(['--yes'])
  expect(await first.ended()).toBe(0)
  const shown =
    'Not taken over as it was:\n  mcpServers.junctor: it is this gateway, which would start itself without end'
  expect(first.stdout()).toContain(shown)
  expect(written()).toEqual({ backends: { demo: { plugin: '@junctor/plugin-demo' } } })

  put('.vscode/mcp.json', { servers: { ...vsCode.servers, junctor } })
  writeFileSync(join(folder, '.mcp.json'), '{ "mcpServers": {')
  const second = init(['--yes', '--force'])
  expect(await second.ended()).toBe(0)
  expect(second.stdout()).toContain('\n  servers.junctor: it is this gateway')
  expect(second.stdout()).toMatch(/\n  \S+\.mcp\.json:1:\d+: it cannot be read/)
  expect(written()).toMatchObject({ backends: { search: {} } })
  expect(Object.keys((written() as { backends: object }).backends)).toEqual(['search'])

  const named = init(['--from', alone, '--force'])
  expect(await named.ended()).toBe(2)
  expect(named.stderr()).toContain('it is this gateway')
})

test('without a user to ask, found servers are reported and not taken over', async () => {
  const file = put('.cursor/mcp.json', cursor)
  const junctor = init([])
  expect(await junctor.ended()).toBe(0)
  expect(junctor.stdout()).toContain(`  ${file}: github\n`)
  expect(written()).toEqual({ backends: { demo: { plugin: '@junctor/plugin-demo' } } })
})

test('--from takes over the named files, and no others', async () => {
  put('.cursor/mcp.json', cursor)
  const file = put('elsewhere/mcp.json', vsCode)
  const junctor = init(['--from', file, '--backend', 'a=node a.js', '--backend', 'b=http://127.0.0.1:1/mcp'])
  expect(await junctor.ended()).toBe(0)
  expect(written()).toEqual({
    backends: {
      a: { command: 'node', args: ['a.js'] },
      b: { url: 'http://127.0.0.1:1/mcp' },
      search: { url: 'https://mcp.example.com/mcp' },
    },
  })
})

test('an existing file is not changed; --force writes a new one', async () => {
  const file = join(folder, 'junctor.yaml')
  writeFileSync(file, 'mine', { mode: 0o666 })
  const careful = init(['--yes'])
  expect(await careful.ended()).toBe(1)
  expect(careful.stderr()).toBe(
    `junctor: ${file} is there already, and was not touched\n  Overwrite it with --force, or name another file with --output.\n`,
  )
  expect(careful.stdout()).toBe('')
  expect(readFileSync(file, 'utf8')).toBe('mine')

  put('.cursor/mcp.json', cursor)
  expect(await init(['--yes', '--force']).ended()).toBe(0)
  expect(written()).toMatchObject({ backends: { github: { command: 'npx' } } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  [['--from', 'nowhere.json'], 2, 'there is no file nowhere.json'],
  [['--from', '.'], 2, '. is not a file of UTF-8 text that can be read'],
  [['--from', 'empty.json'], 2, 'empty.json has no servers that can be taken over.'],
  [['--output', 'no-folder/junctor.yaml'], 2, 'there is no folder '],
  [['--output', '.', '--force'], 2, 'expected a file, got the folder '],
  [['--backend', 'npx'], 2, 'expected name=command or name=url, got "npx"'],
  [['--port', 'x'], 2, 'Expected a number from 0 to 65535.'],
  [['--profile', 'none'], 2, 'Allowed choices are mcp'],
])('the words %j are refused', async (words, code, message) => {
  put('empty.json', {})
  const junctor = init(words)
  expect(await junctor.ended()).toBe(code)
  expect(junctor.stderr()).toContain(message)
  expect(junctor.stdout()).toBe('')
})

describe('on a terminal', () => {
  test('asks which servers to take over, for further servers, and for the port', async () => {
    put('.cursor/mcp.json', cursor)
    put('.vscode/mcp.json', vsCode)
    const junctor = startOnTerminal(['init'], { folder, env: { HOME: folder } })
    await junctor.typed(/Take over github of Cursor .* \[yes\] $/, 'no')
    await junctor.typed(/Take over search of VS Code .* \[yes\] $/, '')
    await junctor.typed(/nothing when that is all: $/, 'npx')
    await junctor.typed(/expected name=command or name=url[^]*nothing when that is all: $/, 'files=npx -y files')
    await junctor.typed(/nothing when that is all: $/, '')
    await junctor.typed(/The port that clients connect to: \[3000\] $/, '99999')
    await junctor.typed(/The port that clients connect to: \[3000\] $/, '4001')
    expect(await junctor.ended()).toBe(0)
    expect(written()).toEqual({
      listen: { http: { port: 4001 } },
      backends: { files: { command: 'npx', args: ['-y', 'files'] }, search: { url: 'https://mcp.example.com/mcp' } },
    })
  })

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('%s ends it, and nothing is written', async (_name, key) => {
    const junctor = startOnTerminal(['init'], { folder, env: { HOME: folder } })
    await junctor.pressed(/nothing when that is all: $/, key)
    expect(await junctor.ended()).toBe(1)
    expect(junctor.screen()).toContain('stopped: nothing was written')
    expect(() => written()).toThrow('ENOENT')
  })
})
