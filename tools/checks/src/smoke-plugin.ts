import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { buildWasmSample } from '@junctor/testkit/build-wasm-sample'
import { fetchNode26 } from './node-26.ts'
import { repository, readWorkspace } from './workspace.ts'

// After `pnpm build`: what the guides for authors of plugins promise, from packed tarballs in a folder outside of the
// repository, on Node 24 and 26: a new plugin is tested, checked, packed, installed, and called by an official client, in
// under ten commands and two minutes. Then the same tool in a process of its own and over HTTP, and one in WebAssembly:
// what starts processes and threads finds its files in the packages too.
const mostCommands = 9
const mostSeconds = 120

const built = join(repository, 'packages/node/dist')
if (!existsSync(built)) {
  console.error(`smoke:plugin: expected ${built} to exist; run \`pnpm build\` first`)
  process.exit(1)
}
const scratch = mkdtempSync(join(tmpdir(), 'junctor-smoke-'))
const wasmModule = await buildWasmSample()
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
  const packages = readWorkspace(repository).filter(({ manifest }) => manifest.private !== true)
  return new Map(
    packages.map((entry) => {
      const before = new Set(readdirSync(folder))
      run('pnpm', ['pack', '--pack-destination', folder], join(repository, entry.folder))
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
  const junctor = join(folder, 'node_modules/.bin/junctor')
  const [answer] = await callTools(junctor, user, environment, [greet('sky')])
  const seconds = (performance.now() - start) / 1000
  const isGood = answer === 'Hello, Ada!' && commands <= mostCommands && seconds < mostSeconds
  console.log(
    `smoke:plugin: Node ${version}: ${commands} commands, ${seconds.toFixed(0)} s, the tool said ${JSON.stringify(answer)}`,
  )
  if (!isGood) process.exitCode = 1
  await smokeElsewhere(junctor, user, environment)
}

/** The installed plugin in a process of its own and over HTTP, and a module of WebAssembly. */
async function smokeElsewhere(junctor: string, user: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const served = ['plugin', 'serve', 'node_modules/@acme/weather', '--port', '0']
  const components = await spawned(junctor, served, user, environment, /component is on (\S+)/)
  try {
    const backends = {
      apart: { plugin: '@acme/weather', isolation: 'process' },
      component: { tool: components.found },
      module: { wasm: wasmModule },
    }
    writeFileSync(join(user, 'junctor.json'), JSON.stringify({ backends }))
    const echo = { name: 'module__echo', arguments: { text: 'Hello, Ada!' } }
    const answers = await callTools(junctor, user, environment, [greet('apart'), greet('component'), echo])
    console.log(`smoke:plugin: in a process, over HTTP, in WebAssembly: ${JSON.stringify(answers)}`)
    if (answers.some((answer) => answer !== 'Hello, Ada!')) process.exitCode = 1
  } finally {
    await components.end()
  }
}

function greet(backend: string): Call {
  return { name: `${backend}__greet`, arguments: { name: 'Ada' } }
}

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

/** Runs the gateway, calls tools with the official client, and stops it. Returns their texts. */
async function callTools(
  junctor: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  calls: readonly Call[],
): Promise<readonly unknown[]> {
  const gateway = await spawned(
    junctor,
    ['serve', '--port', '0', '--json', '--log-level', 'error'],
    cwd,
    env,
    /"http":"([^"]+)"/,
  )
  try {
    const client = new Client({ name: 'smoke', version: '1.0.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(gateway.found)))
    const texts: unknown[] = []
    for (const call of calls) {
      const { content } = await client.callTool(call)
      texts.push((content as readonly { readonly text?: string }[])[0]?.text)
    }
    await client.close()
    return texts
  } finally {
    await gateway.end()
  }
}

interface Spawned {
  /** The first group of the pattern. */
  readonly found: string
  end(): Promise<void>
}

/** Starts a program. Resolves when it prints a line that matches. @throws Error with its output when it ends before */
async function spawned(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  pattern: RegExp,
): Promise<Spawned> {
  const started = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  for await (const line of createInterface({ input: started.stderr })) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) return { found, end: () => stop(started) }
    output += `${line}\n`
  }
  throw new Error(`expected ${args.join(' ')} to go on, got ${output}`)
}

async function stop(started: ChildProcess): Promise<void> {
  if (started.exitCode !== null) return
  const ended = once(started, 'exit')
  started.kill('SIGTERM')
  await ended
}

/** The output of a command. @throws Error with its output when it fails */
function run(program: string, args: readonly string[], cwd: string, env = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`)
}
