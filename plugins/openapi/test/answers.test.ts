import { describe, expect, it } from 'vitest'
import { json, startApiServer } from './api-server.ts'
import { documentOf, openApiClient } from './open-api-client.ts'
import { useApi } from './use-api.ts'

const api = useApi()

const item = { type: 'object', properties: { id: { type: 'integer' }, owner: { type: 'object' } }, required: ['owner'] }

/** Opens a document with one operation, `run`, that declares this schema for its answer. */
async function open(schema: object | undefined, options: Readonly<Record<string, unknown>> = {}, more: object = {}) {
  const content = schema && { 'application/json': { schema } }
  const operation = { operationId: 'run', responses: { 200: { description: '', content } }, ...more }
  const { method = 'get', ...config } = options
  const document = documentOf({ '/x': { [String(method)]: operation } })
  api.opened = await openApiClient({ 'openapi.json': document }, { baseUrl: api.server.url, ...config })
  return api.opened.client
}

describe('answers', () => {
  it('an object is structured content, with the text of the API, digit by digit', async () => {
    const client = await open(item)
    const text = '{ "id": 12345678901234567890, "owner": {} }'
    api.server.reply((_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
    expect(await client.callTool('run')).toMatchObject({
      content: [{ type: 'text', text }],
      structuredContent: { owner: {} },
    })
  })

  it.each([
    [{ type: 'array', items: item }, [{ id: 1, owner: {} }]],
    [{ type: 'string' }, 'text'],
    [{ type: 'integer' }, 0],
    [{ type: 'boolean' }, false],
    [item, null],
    [item, [1]],
  ])('what is no object is the member result: %j', async (schema, value) => {
    const client = await open(schema)
    api.server.reply(json(value))
    expect(await client.callTool('run')).toMatchObject({ structuredContent: { result: value } })
  })

  it('an answer that differs from its document is passed on', async () => {
    const client = await open(item)
    api.server.reply(json({ id: 'one', owner: null }))
    expect(await client.callTool('run')).toMatchObject({ structuredContent: { id: 'one', owner: null } })
  })

  it.each<[string, number, Record<string, string>, string | Buffer, object]>([
    ['204', 204, {}, '', { content: [{ text: 'HTTP 204, without content' }], structuredContent: { status: 204 } }],
    [
      'what was made is in the header alone',
      201,
      { location: '/things/7', etag: '"1"', 'set-cookie': 'a=b' },
      '',
      {
        content: [{ text: 'HTTP 201, without content\nlocation: /things/7\netag: "1"' }],
        structuredContent: { status: 201, headers: { location: '/things/7', etag: '"1"' } },
      },
    ],
    [
      'where an accepted request can be asked about',
      202,
      { 'retry-after': '5', 'operation-location': '/jobs/1' },
      '',
      { structuredContent: { status: 202, headers: { 'operation-location': '/jobs/1', 'retry-after': '5' } } },
    ],
    [
      'a web page instead of JSON',
      200,
      { 'content-type': 'text/html' },
      '<p>',
      { content: [{ text: '<p>' }], structuredContent: { status: 200, contentType: 'text/html' } },
    ],
    [
      'broken JSON',
      200,
      { 'content-type': 'application/json' },
      '{"a":',
      { content: [{ text: '{"a":' }], structuredContent: { status: 200 } },
    ],
    [
      'JSON that is too deep for a message',
      200,
      { 'content-type': 'application/json' },
      '['.repeat(50_000) + ']'.repeat(50_000),
      { content: [{ text: '['.repeat(50_000) + ']'.repeat(50_000) }], structuredContent: { status: 200 } },
    ],
    ['JSON without a content type', 200, {}, '{"a":1}', { structuredContent: { a: 1 } }],
    [
      'JSON of another name',
      200,
      { 'content-type': 'application/hal+json' },
      '{"a":1}',
      { structuredContent: { a: 1 } },
    ],
    [
      'JSON in Latin-1',
      200,
      { 'content-type': 'application/json; charset=ISO-8859-1' },
      Buffer.from('{"a":"é"}', 'latin1'),
      { content: [{ type: 'text', text: '{"a":"é"}' }], structuredContent: { a: 'é' } },
    ],
    [
      'JSON whose type came twice',
      200,
      { 'content-type': 'application/json, application/json' },
      '{"a":1}',
      { structuredContent: { a: 1 } },
    ],
    [
      'a picture',
      200,
      { 'content-type': 'image/png' },
      Buffer.from([1, 2]),
      { content: [{ type: 'image', data: 'AQI=', mimeType: 'image/png' }] },
    ],
    [
      'bytes',
      200,
      { 'content-type': 'application/pdf' },
      Buffer.from([1, 255]),
      { content: [{ type: 'resource', resource: { mimeType: 'application/pdf', blob: 'Af8=' } }] },
    ],
    [
      'text in Latin-1',
      200,
      { 'content-type': 'text/plain; charset=iso-8859-1' },
      Buffer.from('é', 'latin1'),
      { content: [{ type: 'text', text: 'é' }] },
    ],
  ])('%s', async (_what, status, headers, body, expected) => {
    const client = await open(item)
    api.server.reply((_request, response) => response.writeHead(status, headers).end(body))
    expect(await client.callTool('run')).toMatchObject(expected)
  })
})

it.each([
  [['text/html', 'application/json; charset=utf-8', 'application/vnd.x.v2+json'], 'application/json, */*;q=0.5', true],
  [['text/html', 'application/vnd.pypi.simple.v1+json'], 'application/vnd.pypi.simple.v1+json, */*;q=0.5', true],
  [['*/*'], 'application/json, */*;q=0.5', true],
  [['image/png', 'text/csv', 'text/é'], 'image/png, text/csv, */*;q=0.5', false],
  [[], '*/*', false],
])('of what is declared, %j, the API is asked for %s', async (types, accept, isJson) => {
  const content = Object.fromEntries(types.map((type) => [type, { schema: item }]))
  const client = await open(undefined, {}, { responses: { 200: { description: '', content } } })
  await client.callTool('run')
  expect(api.server.requests[0]?.headers['accept']).toBe(accept)
  const [tool] = await client.listTools()
  expect(tool?.['outputSchema'] !== undefined).toBe(isJson)
})

it('the answer to HEAD is its headers', async () => {
  const client = await open(item, { method: 'head' })
  const headers = { 'content-type': 'image/png', 'content-length': '77', 'last-modified': 'today' }
  api.server.reply((_request, response) => response.writeHead(200, headers).end())
  expect(await client.callTool('run')).toMatchObject({ structuredContent: { status: 200, headers } })
})

describe('errors of the API', () => {
  it('are errors of the tool, with the status and the beginning of the body', async () => {
    const client = await open(item)
    api.server.reply(json({ error: 'x'.repeat(10_000) }, 422))
    const { isError, content = [] } = await client.callTool('run')
    expect(isError).toBe(true)
    expect(content).toMatchObject([
      { text: expect.stringMatching(/^GET \/x was answered with HTTP 422\.\n\{"error":"x+… /) as string },
    ])
    expect(JSON.stringify(content).length).toBeLessThan(4300)
  })

  it.each([
    [301, { location: '/elsewhere' }, 'HTTP 301'],
    [304, {}, 'HTTP 304'],
    [429, { 'retry-after': '120' }, 'It may be called again after: 120 s.'],
  ])('status %i', async (status, headers, text) => {
    const client = await open(item, { method: 'post' })
    api.server.reply((request, response) =>
      request.url === '/x'
        ? response.writeHead(status, headers).end()
        : response.writeHead(404).end('HTTP 301 followed'),
    )
    expect(await client.callTool('run')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(text) as string }],
    })
  })

  it('a body above the limit is an error that says what to do, and is not read to its end', async () => {
    const client = await open(item, { maxBytes: 1_000_000 })
    api.server.reply((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 20_000_000 })
      response.end(Buffer.alloc(20_000_000, 32))
    })
    expect(await client.callTool('run')).toEqual({
      isError: true,
      content: [
        {
          type: 'text',
          text: 'GET /x: the answer is too large (more than 1000000 bytes): ask for less, with the arguments that filter or page.',
        },
      ],
    })
    expect(api.server.requests).toHaveLength(1)
  })

  it('a server that is gone is an error without its address', async () => {
    const client = await open(item)
    await api.server.close()
    await expect(client.callTool('run')).rejects.toMatchObject({
      message: 'GET /x: the API cannot be reached.',
      data: { reason: 'backend_unavailable', retryable: true },
    })
  })

  it('a call that is cancelled ends its request', async () => {
    const client = await open(item)
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
    api.server.reply((_request, response) => {
      response.on('close', resolve)
      arrive()
    })
    const controller = new AbortController()
    const call = client.callTool('run', {}, { signal: controller.signal })
    await arrived
    controller.abort()
    await expect(call).rejects.toThrow('cancelled')
    await gone
  })
})

describe('requests are sent again', () => {
  it.each([
    ['get', 503, 2, true],
    ['put', 429, 2, true],
    ['delete', 502, 2, true],
    ['post', 503, 1, false],
    ['patch', 429, 1, false],
    ['get', 500, 1, false],
  ])('%s after %i: %i requests', async (method, status, count, works) => {
    const client = await open(item, { method })
    api.server.reply((request, response) => {
      const answer = api.server.requests.length === 1 ? json({}, status, { 'retry-after': '0' }) : json({ ok: true })
      answer(request, response)
    })
    expect((await client.callTool('run')).isError).toBe(works ? undefined : true)
    expect(api.server.requests).toHaveLength(count)
  })

  it('not when the server asks for a long pause', async () => {
    const client = await open(item)
    api.server.reply(json({}, 503, { 'retry-after': '60' }))
    expect(await client.callTool('run')).toMatchObject({ isError: true })
    expect(api.server.requests).toHaveLength(1)
  })

  it.each(['get', 'post'])('not %s whose connection breaks: that is left to the gateway', async (method) => {
    const client = await open(item, { method })
    api.server.reply((_request, response) => response.destroy())
    await expect(client.callTool('run')).rejects.toMatchObject({ data: { reason: 'backend_exited', retryable: false } })
    expect(api.server.requests).toHaveLength(1)
  })

  it('not after a redirect to a server that is gone: the first one may have done its work', async () => {
    const gone = await startApiServer(json({}))
    await gone.close()
    const client = await open(item, { method: 'post' })
    api.server.reply((_request, response) => response.writeHead(303, { location: `${gone.url}/x` }).end())
    await expect(client.callTool('run')).rejects.toMatchObject({ data: { reason: 'backend_exited', retryable: false } })
    expect(api.server.requests).toHaveLength(1)
  })
})

describe('the next page', () => {
  // A number that may be absent, as FastAPI describes it.
  const page = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  const parameters = ['page', 'cursor', 'starting_after'].map((name) => ({
    name,
    in: 'query',
    schema: name === 'page' ? page : { type: 'string' },
  }))

  it.each<[string, Record<string, string>, unknown, object]>([
    [
      'a Link header',
      { link: '</x?page=1>; rel="prev", <https://api.example/x?page=3&per=5>; rel="next"' },
      [],
      { url: 'https://api.example/x?page=3&per=5', arguments: { page: 3 } },
    ],
    ['a cursor', {}, { items: [], meta: { next_cursor: 'abc' } }, { cursor: 'abc', arguments: { cursor: 'abc' } }],
    ['a number', {}, { nextPage: 3 }, { cursor: '3', arguments: { cursor: '3' } }],
    ['a path', {}, { links: { next: { href: '/x?cursor=q' } } }, { arguments: { cursor: 'q' } }],
    ['has_more', {}, { has_more: true, data: [{ id: 'a' }, { id: 'b' }] }, { arguments: { starting_after: 'b' } }],
  ])('of %s', async (_what, headers, value, expected) => {
    const client = await open({}, {}, { parameters })
    api.server.reply(json(value, 200, headers))
    const result = await client.callTool('run')
    expect(result).toMatchObject({ _meta: { 'junctor/nextPage': expected } })
    expect(result.content?.at(-1)).toMatchObject({
      text: expect.stringMatching(/^There are more results: call again with \{"/) as string,
    })
    const next = result._meta?.['junctor/nextPage'] as { readonly arguments: Record<string, unknown> }
    expect(await client.callTool('run', next.arguments)).not.toHaveProperty('isError')
  })

  it.each([
    ['a cursor', {}, '{"next":9007199254740993}', '{"cursor":"9007199254740993"}'],
    ['a Link header', { link: '</x?page=9007199254740993>; rel="next"' }, '[]', '{"page":9007199254740993}'],
  ])('keeps the digits of a number in %s', async (_what, headers, text, args) => {
    const client = await open({}, {}, { parameters })
    api.server.reply((_request, response) => response.writeHead(200, headers).end(text))
    const { content } = await client.callTool('run')
    expect(content?.at(-1)).toMatchObject({
      text: `There are more results: call again with ${args}.`,
    })
  })

  it.each<[string, Record<string, string>, unknown]>([
    ['a last page', {}, { next_cursor: null, has_more: false, next: '' }],
    ['a Link header without it', { link: '<https://a/next>; rel="prev"' }, []],
    ['nothing', {}, null],
  ])('there is none after %s', async (_what, headers, value) => {
    const client = await open({}, {}, { parameters })
    api.server.reply(json(value, 200, headers))
    const result = await client.callTool('run')
    expect(result.content).toHaveLength(1)
    expect(result).not.toHaveProperty('_meta')
  })
})
