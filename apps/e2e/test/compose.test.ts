import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { loadConfig } from '@junctor/config'
import { demoPlugin } from '@junctor/plugin-demo'
import { mcpPlugin } from '@junctor/plugin-mcp'
import type { Plugin } from '@junctor/plugin-sdk'
import { findNatsServer } from '@junctor/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'

// Checks of compose.yaml that need no running containers: all its parts exist and fit together.

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../../..')
const plugins = [mcpPlugin, demoPlugin] as unknown as readonly Plugin[]

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly networks: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly volumes: Readonly<Record<string, unknown>>
}

const compose = parse(readFileSync(join(repository, 'compose.yaml'), 'utf8'), { merge: true }) as Compose
const services = Object.entries(compose.services)
const named = (prefix: string) => services.filter(([name]) => name.startsWith(prefix))

/** Possible content of `.env`. */
const secrets: Readonly<Record<string, string>> = {
  JUNCTOR_CLUSTER_KEY: 'a-cluster-key-of-at-least-32-characters',
  GATEWAY_PASSWORD: 'the-password-of-gateways',
  WORKER_PASSWORD: 'the-password-of-workers',
  JUNCTOR_ADMIN_TOKEN: 'a-token-for-whoever-runs-it',
  JUNCTOR_KEY_HASH: `sha256:${'0'.repeat(64)}`,
}

/** The environment of a service, as Compose builds it. */
function environmentOf({ environment }: Service): Record<string, string> {
  const filled = Object.entries(environment).map(([name, value]) => {
    const [, variable] = /^\$\{(\w+):\?/.exec(value) ?? []
    if (variable === undefined) return [name, value] as const
    expect(secrets).toHaveProperty(variable)
    return [name, secrets[variable] ?? ''] as const
  })
  return Object.fromEntries(filled)
}

/** The files of a service that come from the repository: their paths in the container, with their paths here. */
function filesOf({ volumes }: Service): ReadonlyMap<string, string> {
  const mounted = volumes.map((volume) => volume.split(':')).filter(([from = '']) => from.startsWith('./'))
  return new Map(mounted.map(([from = '', to = '']) => [to, join(repository, from)]))
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'junctor-compose-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

test('there are three gateways, two workers and three servers of NATS', () => {
  expect(services.map(([name]) => name)).toEqual([
    'gateway-1',
    'gateway-2',
    'gateway-3',
    'worker-1',
    'worker-2',
    'nats-1',
    'nats-2',
    'nats-3',
  ])
})

test.each(services)('%s refers only to existing files', (_name, service) => {
  const { build } = service
  const files = [...filesOf(service).values(), ...(build === undefined ? [] : [join(repository, build.dockerfile)])]
  expect(files.filter((file) => !existsSync(file))).toEqual([])
  const stored = service.volumes.flatMap((volume) => (volume.startsWith('./') ? [] : [volume.split(':')[0]]))
  expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(stored))
  expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining([...service.networks]))
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})))
})

test.each([...named('gateway'), ...named('worker')])(
  '%s runs a command of the repository, with a valid configuration',
  (name, service) => {
    const [program = '', ...words] = service.command
    expect(existsSync(join(repository, 'bin', program))).toBe(true)
    const config = filesOf(service).get(words.at(-1) ?? '') ?? ''
    const loaded = loadConfig(config, { plugins, env: environmentOf(service) })
    if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.problems))
    const { fabric, backends, listen } = loaded.config
    expect(listen.http).toMatchObject({ port: 3000 })
    expect(backends.some(({ runsOn }) => runsOn === 'workers')).toBe(true)
    const { servers, user } = (fabric as Exclude<typeof fabric, 'memory'>).nats
    expect(servers.map((server) => new URL(server).hostname)).toEqual(named('nats').map(([server]) => server))
    expect(user).toBe(name.split('-')[0])
  },
)

test.each(named('nats'))('%s accepts its configuration, with the users of the nodes', async (name, service) => {
  for (const [to, from] of filesOf(service)) {
    mkdirSync(dirname(join(folder, name, to)), { recursive: true })
    cpSync(from, join(folder, name, to), { recursive: true })
  }
  const [, config = ''] = service.command
  const env = environmentOf(service)
  expect(env['SERVER_NAME']).toBe(name)
  const server = await findNatsServer()
  await withoutNewerWords(server, join(folder, name, config))
  const { stderr } = await run(server, ['-t', '-c', join(folder, name, config)], { env })
  expect(stderr).toContain('is valid')
  for (const [, { environment }] of [...named('gateway'), ...named('worker')]) {
    expect(readFileSync(join(folder, name, config), 'utf8')).toContain(`user: ${environment['NATS_USER']}`)
  }
})

test('no other values must be filled in than the documented ones', () => {
  const example = readFileSync(join(repository, 'deploy/compose/example.env'), 'utf8')
  const asked = [...example.matchAll(/^(\w+)=$/gm)].map(([, name = '']) => name)
  expect(asked.toSorted()).toEqual(Object.keys(secrets).toSorted())
})

test.each(['.dockerignore', '.gitignore'])('%s keeps out the files for secrets that the examples name', (name) => {
  const lines = readFileSync(join(repository, name), 'utf8').split('\n')
  const examples = ['deploy/compose/example.env', 'deploy/kubernetes/kustomization.yaml']
  const texts = examples.map((file) => readFileSync(join(repository, file), 'utf8')).join('')
  const files = [...texts.matchAll(/(?<=[ /])(?:\w*\.env|[\w.]+\.txt)(?=\s)/g)].map(([file]) => file)
  expect(new Set(files)).toEqual(new Set(['.env', 'key.txt', 'example.env', 'secrets.env']))
  expect(lines).toEqual(expect.arrayContaining(['**/*.env', '**/key.txt']))
})

test('the image is built from existing files', () => {
  const lines = readFileSync(join(repository, 'deploy/Dockerfile'), 'utf8')
  const filters = [...lines.matchAll(/--filter "(.+?)\.\.\."/g)].map(([, name]) => name)
  const names = ['gateway', 'worker'].map((app) => {
    const manifest = readFileSync(join(repository, 'apps', app, 'package.json'), 'utf8')
    return (JSON.parse(manifest) as { name: string }).name
  })
  expect(filters).toEqual(names)
  // The version that a clone is installed with.
  const [pinned] = /pnpm@[\d.]+/.exec(readFileSync(join(repository, 'bin/junctor'), 'utf8')) ?? ['']
  expect(lines).toContain(`${pinned} install`)
})

/** Tests may run with Debian's nats-server 2.9, which refuses options for version 2.12 in compose.yaml. */
async function withoutNewerWords(server: string, file: string): Promise<void> {
  const { stdout } = await run(server, ['--version'])
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(', sync_interval: always')
  if (stdout.includes('v2.9.')) writeFileSync(file, text.replace(', sync_interval: always', ''))
}
