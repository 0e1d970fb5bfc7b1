import { parseConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric, type MemoryBus } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Plugin } from '@junctor/plugin-sdk'
import { afterEach, beforeEach } from 'vitest'
import * as z from 'zod'
import { createNode, type JunctorNode } from '../src/index.ts'
import type { ParsedNodeConfig } from '../src/node-config.ts'
import { createGreeter } from './greeter.ts'
import { post } from './mcp-post.ts'

/** The token of their admin ports. */
export const token = 'a-token-for-tests'

/** What a test controls: `waiting` lets calls of `wait` end, `creating` resolves when a slow creation has begun. */
export const gates: { waiting: PromiseWithResolvers<void>; creating: PromiseWithResolvers<void>; bus: MemoryBus } = {
  waiting: Promise.withResolvers(),
  creating: Promise.withResolvers(),
  bus: createMemoryBus(),
}

const greeting = createGreeter(() => gates.waiting.promise)
const { plugin: greeter } = greeting

/** The number of open backends, by their greeting. */
export const made: ReadonlyMap<string, number> = greeting.made
const options = z.object({ greet: z.string(), headers: z.record(z.string(), z.string()).default({}) })
/** A plugin whose backends use nothing of the machine. Those with `greet: broken` cannot be created. */
const remote: Plugin<typeof options> = {
  ...greeter,
  config: options,
  isRemote: () => true,
  create({ greet, headers }, context) {
    if (greet === 'broken') throw new Error(`it is broken: ${headers['authorization']}`)
    if (greet === 'broken late') return brokenLate()
    return greeter.create({ greet }, context)
  },
}

/** Fails when the test lets calls end. */
async function brokenLate(): Promise<never> {
  gates.creating.resolve()
  await gates.waiting.promise
  throw new Error('it is broken, and was slow')
}

/** A started node, and how to reach it. */
export interface Place {
  readonly node: JunctorNode
  readonly url: string
  readonly admin: string
}

/** The log of all nodes of a test. */
export const logged: string[] = []
const keep = (message: string, fields?: object): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
/** The nodes of a test, which are closed after it. */
export const open: JunctorNode[] = []

/** Closes the nodes of each test, and begins the next one with nothing shared. */
export function managedNodes(): void {
  beforeEach(() => {
    gates.bus = createMemoryBus()
    gates.waiting = Promise.withResolvers()
    gates.creating = Promise.withResolvers()
    logged.length = 0
  })
  afterEach(async () => {
    gates.waiting.resolve()
    await Promise.all(open.splice(0).map((node) => node.close()))
    if ([...made.values()].some((count) => count !== 0)) throw new Error('a backend is left')
  })
}

const fileOf = (more: object = {}) => ({
  listen: { http: { port: 0 }, admin: { port: 0, token } },
  backends: { ours: { greet: 'of the file' } },
  limits: { grace: '100ms' },
  ...more,
})

/** A configuration with one backend in its file. */
export function parsedFile(more: object = {}): ParsedNodeConfig {
  return parseConfig(JSON.stringify(fileOf(more)), {
    file: 'junctor.json',
    plugins: [remote as unknown as Plugin],
    env: {},
  })
}

/** Starts a node that can be managed, unless `managed` is false. */
export async function start(more: object = {}, { managed = true }: { managed?: boolean } = {}): Promise<Place> {
  const parsed = parsedFile(more)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const { config } = parsed
  const shared = config.fabric === 'memory' ? { fabric: createMemoryFabric(gates.bus) } : {}
  const plugins = managed ? { plugins: [remote as unknown as Plugin] } : {}
  const node = await createNode({ config, ...shared, ...plugins, log })
  open.push(node)
  const { http, admin } = await node.listen()
  return { node, url: http.url, admin: admin?.url ?? '' }
}

/** An answer of the admin port. */
export interface Managed {
  readonly status: number
  readonly body: JsonObject
  readonly etag: string | null
}

/** Sends a request for backends to the admin port of a node. */
export async function manage(
  { admin }: Place,
  method: string,
  name: string,
  entry?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Managed> {
  const answer = await fetch(`${admin}/backends${name === '' ? '' : `/${name}`}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'close',
      ...(entry !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(entry !== undefined && { body: typeof entry === 'string' ? entry : JSON.stringify(entry) }),
  })
  return { status: answer.status, body: (await answer.json()) as JsonObject, etag: answer.headers.get('etag') }
}

/** Opens a session. Returns its id. */
export async function openSession(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  return (await post(url, { id: 0, method: 'initialize', params })).session
}

/** The names of the tools that a session sees. */
export async function toolsOf(url: string, session: string): Promise<readonly string[]> {
  const { body } = await post(url, { id: 'list', method: 'tools/list' }, session)
  const { tools } = body['result'] as unknown as { readonly tools: readonly { readonly name: string }[] }
  return tools.map(({ name }) => name)
}

/** Calls a tool. Returns its text, or the error. */
export async function call(url: string, session: string, name: string): Promise<string> {
  const { body } = await post(url, { id: name, method: 'tools/call', params: { name, arguments: {} } }, session)
  const { content } = (body['result'] ?? {}) as { readonly content?: readonly { readonly text: string }[] }
  return content?.[0]?.text ?? JSON.stringify(body['error'])
}
