import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openBackend } from '@junctor/plugin-sdk/testing'
import { type Backend, silentLog } from '@junctor/plugin-sdk/link'
import { config } from '../src/config.ts'
import { createOpenApiBackend } from '../src/create-openapi-backend.ts'
import { type ApiServer, json, startApiServer } from './api-server.ts'
import { documentOf, openApiClient } from './open-api-client.ts'
import { useApi } from './use-api.ts'

const api = useApi()

async function open(document: unknown, options: Readonly<Record<string, unknown>> = {}, files: object = {}) {
  const all = { 'openapi.json': document, ...files }
  return (api.opened = await openApiClient(all, { baseUrl: api.server.url, ...options }))
}

async function names(): Promise<readonly unknown[]> {
  return (await api.opened?.client.listTools())?.map(({ name }) => name) ?? []
}

const manyKeys = Array.from({ length: 100_000 }, (_, at) => `x-${at}: 1`).join('\n')

describe('a document that cannot be used is refused, with its line', () => {
  it.each<[string, unknown, string]>([
    [
      'Swagger 2.0',
      '{\n  "swagger": "2.0",\n  "paths": {}\n}',
      'openapi.json:2: expected an OpenAPI document of version 3.0 or 3.1 and got Swagger "2.0": convert it first',
    ],
    [
      'OpenAPI 3.2',
      'info: {}\nopenapi: 3.2.0\npaths: {}',
      'openapi.json:2: expected an OpenAPI document of version 3.0 or 3.1 and got "openapi": "3.2.0"',
    ],
    [
      'no version',
      '{"paths": {}}',
      'openapi.json:1: expected an OpenAPI document of version 3.0 or 3.1 and got no "openapi"',
    ],
    ['null', 'null', 'openapi.json:1: expected an OpenAPI document of version 3.0 or 3.1 and got null'],
    ['nothing', '', 'openapi.json:1: expected an OpenAPI document of version 3.0 or 3.1 and got null'],
    ['a list', '[]', 'got a list'],
    [
      'a web page',
      '<!doctype html><title>Sign in</title>',
      'openapi.json:1: expected JSON or YAML and got a web page or XML',
    ],
    ['broken JSON', '{\n  "openapi": "3.0.0",\n  "paths": {]\n}', 'openapi.json:3: expected JSON or YAML: '],
    ['broken YAML', 'openapi: 3.0.0\npaths:\n\t- a', 'openapi.json:3: expected JSON or YAML: '],
    [
      'paths that are null',
      '{"openapi":"3.1.0",\n"paths":null}',
      'openapi.json:2: expected "paths" to be an object and got null',
    ],
    ['no operations', '{"openapi":"3.1.0"}', 'openapi.json has no operations that can be used'],
    [
      'a key twice',
      'openapi: 3.1.0\npaths: {}\ninfo: {}\npaths: {}',
      'openapi.json:4: expected JSON or YAML: Map keys must be unique at line 4, column 1',
    ],
    ['more aliases than anybody needs', `x-a: &a 1\nx-b: [${'*a,'.repeat(10_001)}]`, 'more than 10000 aliases'],
    // If each key were compared with all others, this would take minutes.
    ['many keys', `openapi: 3.1.0\n${manyKeys}`, 'openapi.json has no operations that can be used'],
    ['many keys, and a mistake', `openapi: 3.1.0\npaths: null\n${manyKeys}`, 'openapi.json:2: expected "paths"'],
  ])('%s', async (_what, document, message) => {
    await expect(open(document)).rejects.toThrow(message)
  })

  it('a file that is not there', async () => {
    await expect(open('', { openapi: 'other.json' })).rejects.toThrow(
      'other.json cannot be read: there is no such file',
    )
  })
})

describe('a mistake costs the operation that has it', () => {
  const text = `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /good: { get: { operationId: good } }
  /broken:
    get:
      operationId: broken
      parameters:
        - $ref: '#/components/parameters/nowhere'
  /circle:
    get: { operationId: circle, requestBody: { $ref: '#/components/requestBodies/a' } }
  /null: { get: null, post: { parameters: null, responses: null, operationId: nulls } }
  /body: { post: { operationId: body, requestBody: null } }
  /answer:
    get:
      operationId: answer
      responses: { 200: { $ref: '#/components/responses/nowhere' } }
  /item: null
  /header: { get: { parameters: [{ name: no header, in: header, required: true }] } }
components:
  requestBodies: { a: { $ref: '#/components/requestBodies/b' }, b: { $ref: '#/components/requestBodies/a' } }
`

  it('the others are offered, and the log names each line once', async () => {
    const { lines } = await open(text)
    expect(await names()).toEqual(['good', 'nulls', 'answer'])
    expect(lines).toHaveLength(1)
    for (const finding of [
      'openapi.json:9: GET /broken has no tool: the reference #/components/parameters/nowhere names nothing',
      'openapi.json:11: GET /circle has no tool: the references lead in a circle',
      'openapi.json:12: expected an operation: an object',
      'openapi.json:13: POST /body has no tool: expected an object and got null',
      'openapi.json:17: GET /answer has no output schema: the reference #/components/responses/nowhere names nothing',
      'openapi.json:18: expected an object and got null',
      'openapi.json:19: GET /header has no tool: expected the name of a header, got',
    ]) {
      expect(lines[0]).toContain(finding)
    }
  })

  it('a schema with a broken reference inside accepts any value', async () => {
    const schemas = { A: { type: 'object', properties: { b: { $ref: '#/components/schemas/nowhere' } } } }
    const ref = { schema: { $ref: '#/components/schemas/A' } }
    const operation = { operationId: 'run', requestBody: { content: { 'application/json': ref } } }
    const { client, lines } = await open(documentOf({ '/x': { post: operation } }, { components: { schemas } }))
    expect(await client.callTool('run', { body: { b: 1 } })).toMatchObject({ structuredContent: { ok: true } })
    expect(lines[0]).toContain('#/components/schemas/nowhere names nothing')
  })
})

describe('YAML', () => {
  it('with merge keys has the members that are merged, and those beside them win', async () => {
    const { client } = await open(`openapi: 3.1.0
x-paged: &paged
  description: A page of it
  parameters: [{ name: page, in: query, schema: { type: integer } }]
paths:
  /x:
    get: { <<: *paged, operationId: run, description: All of it }
`)
    expect(await client.listTools()).toMatchObject([
      { name: 'run', description: expect.stringContaining('All of it'), inputSchema: { properties: { page: {} } } },
    ])
    expect(await client.callTool('run', { page: 2 })).toMatchObject({ structuredContent: { ok: true } })
    expect(api.server.requests.map(({ url }) => url)).toEqual(['/x?page=2'])
  })

  it('with tags of its author is read, and warns nobody', async () => {
    const warned: unknown[] = []
    const note = (warning: unknown): void => void warned.push(warning)
    process.on('warning', note)
    const { client } = await open('openapi: 3.1.0\npaths: { /x: { get: { operationId: run, summary: !own All } } }\n')
    expect(await client.listTools()).toMatchObject([{ name: 'run', title: 'All' }])
    await setImmediate()
    process.off('warning', note)
    expect(warned).toEqual([])
  })
})

describe('references', () => {
  it.each(['my%20{id}.json', 'my%20%7Bid%7D.json', './my {id}.json'])('name a file as a URL does: %s', async (name) => {
    await open(documentOf({ '/x': { $ref: name } }), {}, { 'my {id}.json': { get: { operationId: 'run' } } })
    expect(await names()).toEqual(['run'])
  })

  it('lead to operations, although the specification has none there', async () => {
    const operation = { operationId: 'run', parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }] }
    const paths = { '/x': { get: { $ref: './run.json' }, post: { $ref: '#/paths/~1x/post' } } }
    const { client, lines } = await open(documentOf(paths), {}, { 'run.json': operation })
    expect(await client.listTools()).toMatchObject([{ name: 'run', inputSchema: { properties: { page: {} } } }])
    await client.callTool('run', { page: 2 })
    expect(api.server.requests.map(({ url }) => url)).toEqual(['/x?page=2'])
    expect(lines.join()).toContain('the references lead in a circle')
  })

  it('recursive schemas stay recursive', async () => {
    const schemas = {
      Tree: {
        type: 'object',
        properties: { child: { $ref: '#/components/schemas/Tree' } },
        additionalProperties: false,
      },
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } }
    const { client } = await open(
      documentOf({ '/x': { post: { operationId: 'run', requestBody: { content } } } }, { components: { schemas } }),
    )
    expect(await client.callTool('run', { body: { child: { child: {} } } })).toMatchObject({
      structuredContent: { ok: true },
    })
    expect(await client.callTool('run', { body: { child: { child: { x: 1 } } } })).toMatchObject({ isError: true })
  })

  it('to other files are followed, also in circles; a file that is not there costs what uses it', async () => {
    const { lines } = await open(
      documentOf({ '/a': { $ref: './a.yaml' }, '/b': { get: { parameters: [{ $ref: 'gone.json#/p' }] } } }),
      {},
      {
        'a.yaml': 'get:\n  operationId: viaFile\n  parameters: [{ $ref: "p.json#/q" }]',
        'p.json': {
          q: { name: 'q', in: 'query', schema: { $ref: 'p.json#/s' } },
          s: { type: 'array', items: { $ref: '#/s' } },
        },
      },
    )
    expect(await names()).toEqual(['viaFile'])
    expect(await api.opened?.client.callTool('viaFile', { q: [[]] })).toMatchObject({ structuredContent: { ok: true } })
    expect(lines[0]).toMatch(/GET \/b has no tool: the reference .*gone\.json: there is no such file/)
  })
})

describe('choice', () => {
  const paths = {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'] },
      post: { operationId: 'addPet', tags: ['pets', 'admin'] },
    },
    '/pets/{id}': { delete: { operationId: 'deletePet', tags: ['pets', 'admin'] } },
    '/shops': { get: { tags: ['shops'] } },
  }

  it.each([
    [{}, ['listPets', 'addPet', 'deletePet', 'get_shops']],
    [{ include: { tags: ['pets'] } }, ['listPets', 'addPet', 'deletePet']],
    [{ include: { tags: ['pets'], methods: ['get', 'POST'] } }, ['listPets', 'addPet']],
    [{ include: { paths: ['/pets*'] }, exclude: { tags: ['admin'] } }, ['listPets']],
    [{ include: { operations: ['*Pet'] } }, ['addPet', 'deletePet']],
    [{ exclude: { methods: ['delete'], paths: ['/shops'] } }, ['listPets', 'addPet']],
  ])('%j', async (options, expected) => {
    await open(documentOf(paths), options)
    expect(await names()).toEqual(expected)
  })

  it('of nothing is refused, with the tags that there are', async () => {
    const message =
      'leave no operation of openapi.json. It has 4 operations, with the tags pets (3), admin (2), shops (1)'
    await expect(open(documentOf(paths), { include: { tags: ['pet'] } })).rejects.toThrow(message)
  })

  it('of more than maxTools is cut, and the log says how to choose', async () => {
    const { lines } = await open(documentOf(paths), { maxTools: 2 })
    expect(await names()).toEqual(['listPets', 'addPet'])
    expect(lines[0]).toContain('2 of 4 operations have no tool: the most is 2')
    expect(lines[0]).toContain('by tags: pets (3), admin (2), shops (1)')
  })
})

describe('places', () => {
  const paths = { '/x': { get: { operationId: 'run' } } }

  it('the first server, with its variables', async () => {
    const { port } = new URL(api.server.url)
    const servers = [
      { url: 'http://{host}:{port}/v{n}/', variables: { host: { default: '127.0.0.1' }, n: { default: '1' } } },
    ]
    await open(documentOf(paths, { servers }), { baseUrl: undefined, variables: { port } })
    expect(await api.opened?.client.callTool('run')).toMatchObject({ structuredContent: { ok: true } })
    expect(api.server.requests[0]?.url).toBe('/v1/x')
  })

  it.each([
    [undefined, 'expected "baseUrl", because the document names no server with a host (/)'],
    [[{ url: 'http://{host}/' }], 'expected "baseUrl", because its server http://{host}/ needs "variables" with host'],
    [[{ url: 'ftp://a/' }], 'is not http or https'],
  ])('%j is none', async (servers, message) => {
    await expect(open(documentOf(paths, { servers }), { baseUrl: undefined })).rejects.toThrow(message)
  })

  it('a document of a URL sends the secrets of the backend to no other origin', async () => {
    const away = await startApiServer(json({ ok: 'away' }))
    api.server.reply(json(documentOf(paths, { servers: [{ url: away.url }] })))
    const options = { openapi: `${api.server.url}/openapi.json`, baseUrl: undefined, headers: { 'x-token': 'secret' } }
    await expect(open('', options)).rejects.toThrow('would get the headers and secrets of this backend')
    expect(away.requests).toEqual([])
    await away.close()
  })

  it('with a name and a password in its URL is refused: no request could be sent there', async () => {
    const named = 'https://name:secret@api.example/v1'
    const document = documentOf({ '/x': { get: {} } }, { servers: [{ url: named }] })
    await expect(open(document, { baseUrl: undefined })).rejects.toThrow(
      /^(?!.*secret).*expected "baseUrl", because its server has a name and a password in its URL/,
    )
    for (const [name, options] of Object.entries({ openapi: {}, baseUrl: { openapi: 'openapi.json' } })) {
      const { error } = config.safeParse({ ...options, [name]: named })
      expect(error?.issues).toMatchObject([{ path: [name], message: expect.stringContaining('"auth"') }])
    }
  })

  it('a document of a URL names no private host', async () => {
    const away = await startApiServer(json({ ok: 'away' }))
    api.server.reply(json(documentOf(paths, { servers: [{ url: away.url.replace('127.0.0.1', 'localhost') }] })))
    const { client } = await open('', { openapi: `${api.server.url}/openapi.json`, baseUrl: undefined })
    expect(await client.callTool('run')).toMatchObject({
      isError: true,
      content: [{ text: 'GET /x: the API cannot be reached.' }],
    })
    expect(away.requests).toEqual([])
    await away.close()
  })
})

type OpenArguments = Parameters<Backend['open']>
const left = AbortSignal.abort(new Error('the client has left'))

describe('a document at a URL', () => {
  const options = (): object => ({ openapi: `${api.server.url}/openapi.json`, baseUrl: undefined, refreshSeconds: 1 })

  it('has its API beside it, and changes the tools when it changes', async () => {
    api.server.reply(json(documentOf({ '/x': { get: { operationId: 'before' } } }), 200, { etag: '"1"' }))
    await open('', options() as Record<string, unknown>)
    expect(await names()).toEqual(['before'])
    api.server.reply(json(documentOf({ '/x': { get: { operationId: 'after' } } }), 200, { etag: '"2"' }))
    await expect.poll(names, { timeout: 10_000 }).toEqual(['after'])
    expect(api.opened?.client.notifications).toMatchObject([{ method: 'notifications/tools/list_changed' }])
    expect(api.server.requests[1]?.headers['if-none-match']).toBe('"1"')
  })

  it('changes the tools when what it refers to changes, and tells nobody when nothing has', async () => {
    const paths = { '/x': { $ref: 'path.json' } }
    let operationId = 'before'
    api.server.reply((request, response) => {
      const isKnown = request.headers['if-none-match'] !== undefined
      const answer = request.url === '/path.json' ? { get: { operationId } } : documentOf(paths)
      if (isKnown) response.writeHead(304).end()
      else json(answer, 200, { etag: '"1"' })(request, response)
    })
    await open('', options() as Record<string, unknown>)
    expect(await names()).toEqual(['before'])
    const rounds = (): number => api.server.requests.filter(({ url }) => url === '/path.json').length
    await expect.poll(rounds, { timeout: 10_000 }).toBe(3)
    expect(api.opened?.client.notifications).toEqual([])
    operationId = 'after'
    await expect.poll(names, { timeout: 10_000 }).toEqual(['after'])
    expect(api.opened?.client.notifications).toMatchObject([{ method: 'notifications/tools/list_changed' }])
  })

  it('is read once, although the client that needed it first has left', async () => {
    api.server.reply(json(documentOf({ '/x': { get: { operationId: 'run' } } })))
    const parsed = config.parse({ openapi: `${api.server.url}/openapi.json` })
    const backend = createOpenApiBackend({ name: 'api', config: parsed, log: silentLog, folder: '.' })
    const leaving = { ...backend, open: (...[scope, client]: OpenArguments) => backend.open(scope, client, left) }
    await expect(openBackend(leaving)).rejects.toThrow('has left')
    const client = await openBackend(backend)
    expect(await client.listTools()).toMatchObject([{ name: 'run' }])
    expect(api.server.requests).toHaveLength(1)
    await client.close()
    await backend.close()
  })

  it.each<[string, Parameters<ApiServer['reply']>[0], string]>([
    [
      'a web page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'expected JSON or YAML and got a web page',
    ],
    ['404', json({}, 404), 'openapi.json cannot be read: it was answered with HTTP 404'],
  ])('that answers with %s is refused, and read again for the next link', async (_what, reply, message) => {
    api.server.reply(reply)
    await expect(open('', options() as Record<string, unknown>)).rejects.toThrow(message)
  })
})

describe('a file that changes', () => {
  it('changes the tools; with a mistake it changes nothing, and the log says why', async () => {
    const { folder, lines } = await open(documentOf({ '/x': { get: { operationId: 'before' } } }))
    writeFileSync(join(folder, 'openapi.json'), '{"openapi": "2"}')
    await expect.poll(() => lines.join('\n'), { timeout: 10_000 }).toContain('the earlier tools stay')
    expect(await names()).toEqual(['before'])
    writeFileSync(join(folder, 'new.json'), JSON.stringify(documentOf({ '/x': { get: { operationId: 'after' } } })))
    renameSync(join(folder, 'new.json'), join(folder, 'openapi.json'))
    await expect.poll(names, { timeout: 10_000 }).toEqual(['after'])
  })
})

it('a file that another file refers to changes the tools, and a mistake in it is forgotten when it is gone', async () => {
  const path = (operationId: unknown): string => JSON.stringify({ get: { operationId } })
  const { folder, lines } = await open(
    documentOf({ '/x': { $ref: './path.json' } }),
    {},
    { 'path.json': path('before') },
  )
  expect(await names()).toEqual(['before'])
  writeFileSync(join(folder, 'path.json'), '7')
  await expect.poll(() => lines.join('\n'), { timeout: 10_000 }).toContain('the earlier tools stay')
  expect(await names()).toEqual(['before'])
  writeFileSync(join(folder, 'path.json'), path('after'))
  await expect.poll(names, { timeout: 10_000 }).toEqual(['after'])
})

it('ten thousand operations are read, and the first two hundred become tools', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`/thing${index}/{id}`, { get: { tags: [`tag${index % 50}`] } }]),
  )
  const { lines } = await open(documentOf(paths))
  expect(await names()).toHaveLength(200)
  expect(lines[0]).toContain('9800 of 10000 operations have no tool')
})
