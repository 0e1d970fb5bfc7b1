import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fetchNode26 } from './node-26.ts'
import { REPOSITORY, readWorkspace } from './workspace.ts'

// After `pnpm build`: what the guides for authors of plugins promise, from packed tarballs in a folder outside of the
// repository, on Node 24 and 26: a new plugin is tested, checked, packed, installed, and called by an official client, in
// under ten commands and two minutes.
const mostCommands = 9
const mostSeconds = 120

const scratch = mkdtempSync(join(tmpdir(), 'junctor-smoke-'))
try {
  const tarballs = packAll(join(scratch, 'packed'))
  await smoke(process.execPath, tarballs)
  const newest = fetchNode26()
  if (newest.kind === 'node') await smoke(newest.path, tarballs)
  else console.log(`smoke:plugin: not run on Node 26: ${newest.lacks}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Packs every public package. Returns the tarballs by the names of the packages. */
function packAll(folder: string): ReadonlyMap<string, string> {
  mkdirSync(folder)
  const packages = readWorkspace(REPOSITORY).filter(({ manifest }) => manifest.private !== true)
  return new Map(
    packages.map((entry) => {
      const before = new Set(readdirSync(folder))
      run('pnpm', ['pack', '--pack-destination', folder], join(REPOSITORY, entry.folder))
      const tarball = readdirSync(folder).find((file) => !before.has(file))
      if (tarball === undefined) throw new Error(`${entry.name} was not packed`)
      return [entry.name, join(folder, tarball)]
    }),
  )
}

async function smoke(node: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const version = run(node, ['--version'], scratch).trim()
  const folder = mkdtempSync(join(scratch, 'author-'))
  const environment = {
    ...process.env,
    PATH: `${dirname(node)}:${join(folder, 'node_modules/.bin')}:${process.env['PATH']}`,
  }
  const start = performance.now()
  let commands = 0
  const command = (line: string, cwd: string): string => {
    commands += 1
    const [program = '', ...args] = line.split(' ')
    return run(program, args, cwd, environment)
  }
  // Nothing is published yet: the packages are their tarballs.
  const fromTarballs = (manifest: string): void => {
    const content = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> }
    const overrides = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]))
    const own = Object.keys(content.dependencies ?? {}).filter((name) => tarballs.has(name))
    const dependencies = { ...content.dependencies, ...Object.fromEntries(own.map((name) => [name, overrides[name]])) }
    writeFileSync(manifest, JSON.stringify({ ...content, dependencies, overrides }))
  }

  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  command(`npm install --no-audit --no-fund ${tarballs.get('@junctor/gateway-app')}`, folder)
  command('junctor plugin new @acme/weather', folder)
  const weather = join(folder, 'weather')
  fromTarballs(join(weather, 'package.json'))
  command('npm install --no-audit --no-fund', weather)
  command('npm test', weather)
  command('junctor plugin check', weather)
  command('npm pack', weather)
  const user = join(folder, 'user')
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{ "private": true }')
  fromTarballs(join(user, 'package.json'))
  command(`npm install --no-audit --no-fund ${join(weather, 'acme-weather-0.1.0.tgz')}`, user)
  writeFileSync(join(user, 'junctor.json'), '{ "backends": { "sky": { "plugin": "@acme/weather" } } }')
  commands += 1
  const said = await callOnce(join(folder, 'node_modules/.bin/junctor'), user, environment)
  const seconds = (performance.now() - start) / 1000
  const isGood = said === 'Hello, Ada!' && commands <= mostCommands && seconds < mostSeconds
  console.log(
    `smoke:plugin: Node ${version}: ${commands} commands, ${seconds.toFixed(0)} s, the tool said ${JSON.stringify(said)}`,
  )
  if (!isGood) process.exitCode = 1
}

/** Runs the gateway, calls the tool with the official client, and stops it. */
async function callOnce(junctor: string, cwd: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  const gateway = spawn(junctor, ['serve', '--port', '0', '--json', '--log-level', 'error'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    for await (const line of createInterface({ input: gateway.stderr })) {
      const { http } = JSON.parse(line) as { readonly http?: string }
      if (http === undefined) throw new Error(line)
      const client = new Client({ name: 'smoke', version: '1.0.0' })
      await client.connect(new StreamableHTTPClientTransport(new URL(http)))
      const { content } = await client.callTool({ name: 'sky__greet', arguments: { name: 'Ada' } })
      await client.close()
      return (content as readonly { readonly text?: string }[])[0]?.text
    }
    return undefined
  } finally {
    const ended = once(gateway, 'exit')
    gateway.kill('SIGTERM')
    await ended
  }
}

/** The output of a command. @throws Error with its output when it fails */
function run(program: string, args: readonly string[], cwd: string, env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`)
}
