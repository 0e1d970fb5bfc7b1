import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '@junctor/config'
import type { Log } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric, type MemoryBus } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Plugin } from '@junctor/plugin-sdk'
import { eventually, startNatsServer } from '@junctor/testkit'
import { createNode, type JunctorNode } from '../src/index.ts'
import * as z from 'zod'
import { createGreeter } from './greeter.ts'
import { post } from './mcp-post.ts'

const token = 'a-token-for-tests'
let waiting = Promise.withResolvers<void>()
const { plugin: greeter, made } = createGreeter(() => waiting.promise)
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

let creating = Promise.withResolvers<void>()

/** Fails when the test lets calls end. */
async function brokenLate(): Promise<never> {
  creating.resolve()
  await waiting.promise
  throw new Error('it is broken, and was slow')
}

interface Place {
  readonly node: JunctorNode
  readonly url: string
  readonly admin: string
}

const logged: string[] = []
const keep = (message: string, fields?: object): void => void logged.push(`${message} ${JSON.stringify(fields)}`)
const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
const open: JunctorNode[] = []
let bus: MemoryBus

beforeEach(() => {
  bus = createMemoryBus()
  waiting = Promise.withResolvers()
  creating = Promise.withResolvers()
  logged.length = 0
})
afterEach(async () => {
  waiting.resolve()
  await Promise.all(open.splice(0).map((node) => node.close()))
  if ([...made.values()].some((count) => count !== 0)) throw new Error('a backend is left')
})

const fileOf = (more: object = {}) => ({
  listen: { http: { port: 0 }, admin: { port: 0, token } },
  backends: { ours: { greet: 'of the file' } },
  limits: { grace: '100ms' },
  ...more,
})

function parsedFile(more: object = {}) {
  return parseConfig(JSON.stringify(fileOf(more)), {
    file: 'junctor.json',
    plugins: [remote as unknown as Plugin],
    env: {},
  })
}

async function start(more: object = {}, { managed = true } = {}): Promise<Place> {
  const parsed = parsedFile(more)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const { config } = parsed
  const shared = config.fabric === 'memory' ? { fabric: createMemoryFabric(bus) } : {}
  const plugins = managed ? { plugins: [remote as unknown as Plugin] } : {}
  const node = await createNode({ config, ...shared, ...plugins, log })
  open.push(node)
  const { http, admin } = await node.listen()
  return { node, url: http.url, admin: admin?.url ?? '' }
}

interface Managed {
  readonly status: number
  readonly body: JsonObject
  readonly etag: string | null
}

async function manage(
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

async function openSession(url: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  return (await post(url, { id: 0, method: 'initialize', params })).session
}

async function toolsOf(url: string, session: string): Promise<readonly string[]> {
  const { body } = await post(url, { id: 'list', method: 'tools/list' }, session)
  const { tools } = body['result'] as unknown as { readonly tools: readonly { readonly name: string }[] }
  return tools.map(({ name }) => name)
}

async function call(url: string, session: string, name: string): Promise<string> {
  const { body } = await post(url, { id: name, method: 'tools/call', params: { name, arguments: {} } }, session)
  const { content } = (body['result'] ?? {}) as { readonly content?: readonly { readonly text: string }[] }
  return content?.[0]?.text ?? JSON.stringify(body['error'])
}

describe('the admin port of a node', () => {
  it('adds, changes and removes a backend, which clients of open sessions can use immediately', async () => {
    const place = await start()
    const session = await openSession(place.url)
    expect(await toolsOf(place.url, session)).toEqual(['ours__hello', 'ours__wait'])

    const added = await manage(place, 'PUT', 'more', { greet: 'first' })
    expect(added).toMatchObject({ status: 201, body: { name: 'more', change: 'added', revision: 1, source: 'added' } })
    expect(added.etag).toBe('"1"')
    expect(await toolsOf(place.url, session)).toContain('more__hello')
    expect(await call(place.url, session, 'more__hello')).toBe('first')

    expect(await manage(place, 'PUT', 'more', { greet: 'first' })).toMatchObject({
      status: 200,
      body: { change: 'unchanged' },
    })
    expect(await manage(place, 'PUT', 'more', { greet: 'second' })).toMatchObject({
      status: 200,
      body: { revision: 2 },
    })
    expect(await call(place.url, session, 'more__hello')).toBe('second')

    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toMatchObject([
      { name: 'ours', source: 'file', backend: { greet: 'of the file' } },
      { name: 'more', source: 'added', revision: 2, tenants: ['default'], backend: { greet: 'second' } },
    ])
    expect(await manage(place, 'DELETE', 'more')).toMatchObject({ status: 200, body: { change: 'removed' } })
    expect(await toolsOf(place.url, session)).toEqual(['ours__hello', 'ours__wait'])
    expect(await manage(place, 'DELETE', 'more')).toMatchObject({ status: 404, body: { error: 'unknown_backend' } })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ status: 404 })
    await eventually(() => expect([made.get('first'), made.get('second')]).toEqual([0, 0]))
  })

  it.each([
    ['changed', 'PUT', { greet: 'after' }],
    ['removed', 'DELETE', undefined],
  ])('lets a call in flight end when its backend is %s', async (_, method, entry) => {
    const place = await start()
    const session = await openSession(place.url)
    await manage(place, 'PUT', 'more', { greet: 'before' })
    const answer = call(place.url, session, 'more__wait')
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const status = async () => (await fetch(`${place.admin}/status`, { headers })).text()
    await eventually(async () => expect(await status()).toMatch(/"name":"more"[^}]*"inFlight":1/))
    expect((await manage(place, method, 'more', entry)).status).toBe(200)
    waiting.resolve()
    expect(await answer).toBe('before')
    await eventually(() => expect(made.get('before')).toBe(0))
  })

  it('refuses what only the file may have, and changes nothing', async () => {
    const place = await start()
    expect(await manage(place, 'PUT', 'ours', { greet: 'x' })).toMatchObject({
      status: 409,
      body: { error: 'invalid_backend' },
    })
    expect(await manage(place, 'DELETE', 'ours')).toMatchObject({ status: 409, body: { error: 'backend_of_the_file' } })
    expect(await manage(place, 'PUT', 'more', { plugin: './x.ts' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_backend', problems: [{ kind: 'backend_kind', path: 'plugin' }] },
    })
    expect(await manage(place, 'PUT', 'Upper', { greet: 'x' })).toMatchObject({ status: 400 })
    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toHaveLength(1)
  })

  it.each([
    ['no token', { authorization: '' }, { greet: 'x' }, 401],
    ['another token', { authorization: 'Bearer another-token-of-16' }, { greet: 'x' }, 401],
    ['null', {}, 'null', 400],
    ['a list', {}, '[]', 400],
    ['a number', {}, '7', 400],
    ['no JSON', {}, '{"greet":', 400],
    ['an empty body', {}, '', 400],
    ['another type', { 'content-type': 'text/plain' }, { greet: 'x' }, 415],
    ['a large body', {}, { greet: 'x'.repeat(70_000) }, 413],
    ['a condition that it does not know', { 'if-match': 'W/"1"' }, { greet: 'x' }, 400],
    ['a state that is not there', { 'if-match': '*' }, { greet: 'x' }, 412],
  ])('refuses %s', async (_, headers, entry, status) => {
    const place = await start()
    expect((await manage(place, 'PUT', 'more', entry, headers)).status).toBe(status)
    const { body } = await manage(place, 'GET', '')
    expect(body['backends']).toHaveLength(1)
  })

  it('takes a change only if nobody changed the backend in between', async () => {
    const place = await start()
    await manage(place, 'PUT', 'more', { greet: 'first' }, { 'if-none-match': '*' })
    expect(await manage(place, 'PUT', 'more', { greet: 'x' }, { 'if-none-match': '*' })).toMatchObject({ status: 412 })
    expect(await manage(place, 'PUT', 'more', { greet: 'second' }, { 'if-match': '"1"' })).toMatchObject({
      status: 200,
    })
    const late = await manage(place, 'PUT', 'more', { greet: 'third' }, { 'if-match': '"1"' })
    expect(late).toMatchObject({ status: 412, body: { error: 'precondition_failed' } })
    expect(await manage(place, 'DELETE', 'more', undefined, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: 'second' } } })
  })

  it('keeps the former state when a backend cannot be created', async () => {
    const place = await start()
    await manage(place, 'PUT', 'more', { greet: 'good' })
    const refused = await manage(place, 'PUT', 'more', { greet: 'broken' })
    expect(refused).toMatchObject({ status: 422, body: { error: 'backend_refused' } })
    expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: 'good' } } })
    expect(await manage(place, 'PUT', 'new', { greet: 'broken' })).toMatchObject({ status: 422 })
    expect(await manage(place, 'GET', 'new')).toMatchObject({ status: 404 })
    expect(await call(place.url, await openSession(place.url), 'more__hello')).toBe('good')
  })

  it('has no such path when the node was given no plugins', async () => {
    const place = await start({}, { managed: false })
    expect(await manage(place, 'GET', '')).toMatchObject({ status: 404 })
  })

  it('answers no client', async () => {
    const place = await start()
    const answer = await fetch(new URL('/backends', place.url), {
      headers: { authorization: `Bearer ${token}`, connection: 'close' },
    })
    expect(answer.status).toBe(404)
    await answer.text()
  })
})

describe('the file', () => {
  it('keeps added backends when it changes, and takes their name when it has it itself', async () => {
    const place = await start()
    const session = await openSession(place.url)
    await manage(place, 'PUT', 'more', { greet: 'added' })
    const both = { backends: { ours: { greet: 'changed' } } }
    expect(await place.node.reload(parsedFile(both))).toMatchObject({
      kind: 'taken',
      changes: { backends: { changed: ['ours'] } },
    })
    expect(await call(place.url, session, 'ours__hello')).toBe('changed')
    expect(await call(place.url, session, 'more__hello')).toBe('added')

    await place.node.reload(parsedFile({ backends: { more: { greet: 'of the file' } } }))
    expect(await call(place.url, session, 'more__hello')).toBe('of the file')
    expect(await manage(place, 'GET', 'more')).toMatchObject({
      body: { source: 'added', problems: [{ kind: 'name_taken' }] },
    })
    expect(logged.join('\n')).toContain('a backend that was added cannot be served')

    await place.node.reload(parsedFile())
    expect(await call(place.url, session, 'more__hello')).toBe('added')
  })

  it('changes at the same time as added backends, and no change is lost', async () => {
    const place = await start()
    const session = await openSession(place.url)
    const [reloaded, ...managed] = await Promise.all([
      place.node.reload(parsedFile({ backends: { ours: { greet: 'changed' } } })),
      ...['a', 'b', 'c'].map((name) => manage(place, 'PUT', name, { greet: name })),
    ])
    expect(reloaded.kind).toBe('taken')
    expect(managed.map(({ status }) => status)).toEqual([201, 201, 201])
    const greetings = await Promise.all(
      ['ours', 'a', 'b', 'c'].map((name) => call(place.url, session, `${name}__hello`)),
    )
    expect(greetings).toEqual(['changed', 'a', 'b', 'c'])
  })

  it('decides which tenants there are', async () => {
    const tenants = { one: { backends: ['ours'] }, two: { backends: [] } }
    const place = await start({ tenants, auth: { anonymous: true } })
    const at = (tenant: string) => place.url.replace(/\/mcp.*$/, `/mcp/${tenant}`)
    expect(await manage(place, 'PUT', 'more', { greet: 'x' })).toMatchObject({
      status: 400,
      body: { problems: [{ path: 'tenants' }] },
    })
    expect(await manage(place, 'PUT', 'more', { greet: 'x', tenants: ['two'] })).toMatchObject({ status: 201 })
    expect(await toolsOf(at('one'), await openSession(at('one')))).toEqual(['ours__hello', 'ours__wait'])
    expect(await toolsOf(at('two'), await openSession(at('two')))).toEqual(['more__hello', 'more__wait'])
  })
})

describe('several nodes', () => {
  it('serve what was added at any of them, also those that start later', async () => {
    const [first, second] = [await start(), await start()]
    await manage(first, 'PUT', 'more', { greet: 'hi' })
    const session = await openSession(second.url)
    await eventually(async () => expect(await call(second.url, session, 'more__hello')).toBe('hi'))
    await manage(second, 'DELETE', 'more')
    await eventually(async () => expect(await call(first.url, session, 'more__hello')).toContain('more__hello'))
    await manage(first, 'PUT', 'later', { greet: 'later' })
    const third = await start()
    expect(await call(third.url, await openSession(third.url), 'later__hello')).toBe('later')
    // They are no difference of policy.
    expect(logged.join('\n')).not.toContain('another policy')
  })

  it('undo no change that another node has made in between', async () => {
    const [first, second] = [await start(), await start()]
    const slow = manage(first, 'PUT', 'more', { greet: 'broken late' })
    await creating.promise
    expect(await manage(second, 'PUT', 'more', { greet: 'good' })).toMatchObject({ status: 200 })
    waiting.resolve()
    expect(await slow).toMatchObject({ status: 422 })
    for (const place of [first, second]) {
      await eventually(async () =>
        expect(await manage(place, 'GET', 'more')).toMatchObject({ status: 200, body: { backend: { greet: 'good' } } }),
      )
    }
  })

  it('serve everything else when one that was stored cannot be created, and say which', async () => {
    const fabric = createMemoryFabric(bus)
    const bad = { last: 1, backends: { bad: { entry: { greet: 'broken' }, revision: 1 } } }
    await fabric.store<JsonObject>('added', 60_000).put('backends', bad)
    const place = await start()
    expect(await manage(place, 'GET', '')).toMatchObject({
      status: 200,
      body: { backends: [{ name: 'ours' }, { name: 'bad', problems: [{ kind: 'not_created' }] }] },
    })
    expect(await manage(place, 'PUT', 'good', { greet: 'good' })).toMatchObject({ status: 201 })
    expect(await call(place.url, await openSession(place.url), 'good__hello')).toBe('good')
    expect(await place.node.reload(parsedFile())).toMatchObject({ kind: 'taken' })
    expect(await manage(place, 'DELETE', 'bad')).toMatchObject({ status: 200 })
    await fabric.close()
  })

  it('start with a record of a newer version, and do not change it', async () => {
    const fabric = createMemoryFabric(bus)
    const newer = { last: 1, backends: [] }
    await fabric.store<JsonObject>('added', 60_000).put('backends', newer)
    const place = await start()
    expect(await toolsOf(place.url, await openSession(place.url))).toEqual(['ours__hello', 'ours__wait'])
    expect(await manage(place, 'PUT', 'more', { greet: 'x' })).toMatchObject({ status: 503 })
    expect((await fabric.store<JsonObject>('added', 60_000).get('backends'))?.value).toEqual(newer)
    await fabric.close()
  })

  it('give one name to one of two that add it at the same time', async () => {
    const places = [await start(), await start()]
    const only = { 'if-none-match': '*' }
    const answers = await Promise.all(
      places.map((place, index) => manage(place, 'PUT', 'more', { greet: `${index}` }, only)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412])
    const winner = String(answers.findIndex(({ status }) => status === 201))
    for (const place of places) {
      await eventually(async () =>
        expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: winner } } }),
      )
    }
  })

  it('keep added backends on NATS when all of them restart, and when NATS is killed', async () => {
    const server = await startNatsServer()
    const fabric = { nats: { servers: [server.url], key: 'k'.repeat(32) } }
    const first = await start({ fabric })
    const second = await start({ fabric })
    expect(await manage(first, 'PUT', 'more', { greet: 'kept' })).toMatchObject({ status: 201 })
    const session = await openSession(second.url)
    await eventually(async () => expect(await call(second.url, session, 'more__hello')).toBe('kept'))
    await Promise.all(open.splice(0).map((node) => node.close()))

    const again = await start({ fabric })
    expect(await call(again.url, await openSession(again.url), 'more__hello')).toBe('kept')
    await server.kill()
    const lost = await manage(again, 'PUT', 'other', { greet: 'other' })
    expect(lost).toMatchObject({ status: 503, body: { error: 'fabric_unavailable' } })
    await server.restart()
    // It may or may not have been stored; what the node lists is what it serves.
    await eventually(async () =>
      expect(await manage(again, 'PUT', 'other', { greet: 'other' })).toMatchObject({ body: { name: 'other' } }),
    )
    expect(await call(again.url, await openSession(again.url), 'other__hello')).toBe('other')
    expect(await call(again.url, await openSession(again.url), 'more__hello')).toBe('kept')
    await Promise.all(open.splice(0).map((node) => node.close()))
    await server.stop()
  })
})

it('no secret of an added backend is shown or logged', async () => {
  const place = await start()
  const headers = { authorization: 'Bearer swordfish' }
  const answers = [
    await manage(place, 'PUT', 'more', { greet: 'x', headers }),
    await manage(place, 'PUT', 'more', { greet: 'broken', headers }),
    await manage(place, 'PUT', 'other', { greet: 7, headers: { authorization: ['swordfish'] } }),
    await manage(place, 'GET', 'more'),
    await manage(place, 'GET', ''),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 400, 200, 200])
  const [, broken] = answers
  expect(broken?.body['message']).toContain('it is broken')
  expect(JSON.stringify(answers)).not.toContain('swordfish')
  expect(logged.join('\n')).not.toContain('swordfish')
})
