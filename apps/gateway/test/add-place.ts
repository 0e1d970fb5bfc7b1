import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@junctor/jsonrpc'
import { type ScriptedServer, sendJson, startScriptedServer } from '@junctor/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { parse } from 'yaml'
import { type JunctorProcess, startJunctor } from './junctor-process.ts'

/** A server in the place of `npx`, `uvx` and `docker`: it notes how it was started, and has two tools. */
const program = `#!${process.execPath}
const { appendFileSync } = require('node:fs')
const seen = { argv: process.argv.slice(2), key: process.env.WEATHER_KEY, stolen: process.env.STOLEN }
appendFileSync(process.env.HOME + '/started.ndjson', JSON.stringify(seen) + '\\n')
const tools = ['forecast', 'al\\u001b[31merts'].map((name) => ({ name, inputSchema: { type: 'object' } }))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const serverInfo = { name: 'weather', version: '1.2.0' }
  const begun = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo }
  const result = method === 'initialize' ? begun : method === 'tools/list' ? { tools } : {}
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
`

/** What a registry has at a path: a body, or a script. */
export type RegistryEntry = JsonObject | ((response: ServerResponse) => void)

/** A registry, programs and an empty folder for tests of `junctor add`. */
export interface AddPlace {
  /** New for each test. */
  readonly folder: string
  /** The only folder on the PATH of the user. */
  readonly programs: string
  readonly registry: ScriptedServer
  /** What the registry has, by path. Empty at the start of each test. */
  readonly answers: Map<string, RegistryEntry>
  /** The environment of a user whose programs are those of the place. */
  user(env?: Readonly<Record<string, string>>): Readonly<Record<string, string>>
  add(words: readonly string[], env?: Readonly<Record<string, string>>): JunctorProcess
  /** The text of a file. Default: the configuration. */
  text(name?: string): string
  written(): unknown
  /** How the programs were started. */
  started(): readonly unknown[]
  /** Expects that nothing was written, and nothing was run. */
  untouched(): void
}

/** Paths of the latest versions of the servers in `registry-fixtures.ts`. */
export const latest = {
  weather: '/v0.1/servers/io.github.acme%2Fweather/versions/latest',
  search: '/v0.1/servers/com.example%2Fsearch/versions/latest',
  files: '/v0.1/servers/io.github.acme%2Ffiles/versions/latest',
}

/** Prepares the place before the tests of the calling file, and cleans it up after them. */
export function createAddPlace(): AddPlace {
  let folder = ''
  let programs = ''
  let registry: ScriptedServer | undefined
  const answers = new Map<string, RegistryEntry>()
  beforeAll(async () => {
    programs = mkdtempSync(join(tmpdir(), 'junctor-programs-'))
    for (const name of ['npx', 'uvx', 'docker']) {
      writeFileSync(join(programs, name), program)
      chmodSync(join(programs, name), 0o755)
    }
    registry = await startScriptedServer(({ path }, response) => {
      const answer = answers.get(path)
      if (answer === undefined) sendJson(response, { error: 'not found' }, 404)
      else if (typeof answer === 'function') answer(response)
      else sendJson(response, answer)
    })
  })
  afterAll(async () => {
    rmSync(programs, { recursive: true })
    await registry?.close()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'junctor-add-'))
    answers.clear()
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const text = (name = 'junctor.yaml'): string => readFileSync(join(folder, name), 'utf8')
  const user: AddPlace['user'] = (env = {}) => {
    return { PATH: programs, HOME: folder, JUNCTOR_REGISTRY_URL: registry?.origin ?? '', STOLEN: 'secret', ...env }
  }
  return {
    get folder() {
      return folder
    },
    get programs() {
      return programs
    },
    get registry() {
      if (registry === undefined) throw new Error('the registry starts before the tests')
      return registry
    },
    answers,
    user,
    add: (words, env) => startJunctor(['add', ...words], { folder, env: user(env) }),
    text,
    written: () => parse(text()),
    started: () =>
      text('started.ndjson')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    untouched: () => expect(readdirSync(folder)).toEqual([]),
  }
}
