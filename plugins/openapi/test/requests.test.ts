import { parseExactly } from '@junctor/plugin-sdk/link'
import { describe, expect, it } from 'vitest'
import { json, type Reply } from './api-server.ts'
import { documentOf, type OpenedApi, openApiClient } from './open-api-client.ts'
import { useApi } from './use-api.ts'

const api = useApi()

const schemas = { List: { type: 'array' } }

/** Calls the one operation of a document, and returns the request that the server received. */
async function sent(operation: object, args: object, { method = 'get', path = '/x', ...options } = {}) {
  const files = {
    'openapi.json': documentOf(
      { [path]: { [method]: { operationId: 'run', ...operation } } },
      { components: { schemas } },
    ),
  }
  api.opened = await openApiClient(files, { baseUrl: api.server.url, ...options })
  const result = await api.opened.client.callTool('run', args)
  expect(result).toMatchObject({ structuredContent: { ok: true } })
  const [request] = api.server.requests
  if (request === undefined) throw new Error('the server received nothing')
  return request
}

const list = { type: 'array', items: { type: 'string' } }
const object = { type: 'object' }
const param = (place: string, schema: object, more: object = {}): object => ({ name: 'v', in: place, schema, ...more })

describe('parameters', () => {
  it.each([
    ['form', param('query', list), ['a b', 'c&d'], '/x?v=a%20b&v=c%26d'],
    ['form without explode', param('query', list, { explode: false }), ['a', 'b'], '/x?v=a%2Cb'],
    ['spaceDelimited', param('query', list, { style: 'spaceDelimited', explode: false }), ['a', 'b'], '/x?v=a%20b'],
    ['pipeDelimited', param('query', list, { style: 'pipeDelimited', explode: false }), ['a', 'b'], '/x?v=a%7Cb'],
    ['form with an object', param('query', object), { r: 1, g: true }, '/x?r=1&g=true'],
    ['an object without explode', param('query', object, { explode: false }), { r: 1, g: 2 }, '/x?v=r%2C1%2Cg%2C2'],
    [
      'deepObject',
      param('query', object, { style: 'deepObject' }),
      { a: { b: 1 }, c: ['x', 'y'] },
      '/x?v%5Ba%5D%5Bb%5D=1&v%5Bc%5D%5B0%5D=x&v%5Bc%5D%5B1%5D=y',
    ],
    ['allowReserved', param('query', { type: 'string' }, { allowReserved: true }), '/a?b&c#d', '/x?v=/a?b%26c%23d'],
    ['null', param('query', {}), null, '/x'],
    [
      'content',
      { name: 'v', in: 'query', content: { 'application/json': { schema: object } } },
      { a: [1] },
      '/x?v=%7B%22a%22%3A%5B1%5D%7D',
    ],
  ])('in a query: %s', async (_style, parameter, v, url) => {
    expect(await sent({ parameters: [parameter] }, { v })).toMatchObject({ url })
  })

  it.each([
    ['simple', {}, list, ['a', 'b/c'], '/x/a,b%2Fc/y'],
    ['label', { style: 'label', explode: true }, list, ['a', 'b'], '/x/.a.b/y'],
    ['matrix', { style: 'matrix', explode: true }, list, ['a', 'b'], '/x/;v=a;v=b/y'],
    ['matrix with an object', { style: 'matrix' }, object, { r: 1, g: 2 }, '/x/;v=r,1,g,2/y'],
    ['simple with an object', { explode: true }, object, { r: 1, g: 2 }, '/x/r=1,g=2/y'],
    ['a text', {}, { type: 'string' }, '../secrets?a#b', '/x/..%2Fsecrets%3Fa%23b/y'],
    ['a number', {}, { type: 'integer' }, 12, '/x/12/y'],
  ])('in a path: %s', async (_style, more, schema, v, url) => {
    const request = await sent({ parameters: [param('path', schema, more)] }, { v }, { path: '/x/{v}/y' })
    expect(request).toMatchObject({ url })
  })

  it.each(['', '.', '..'])('refuses the path argument %j, which would name another path', async (v) => {
    const files = { 'openapi.json': documentOf({ '/x/{v}': { delete: { operationId: 'run' } } }) }
    api.opened = await openApiClient(files, { baseUrl: api.server.url })
    expect(await api.opened.client.callTool('run', { v })).toMatchObject({ isError: true })
    expect(api.server.requests).toEqual([])
  })

  it.each([
    ['/x#part', '/x'],
    ['/x/{v}#part', '/x/1'],
    ['/x?action=do', '/x?action=do'],
    ['/x/{v}?action=do&of={v}#part', '/x/1?action=do&of=1&q=2'],
  ])('what a path has beyond a path: %s', async (path, url) => {
    const parameters = [param('path', { type: 'integer' }), { name: 'q', in: 'query' }].slice(
      path.includes('{') ? 0 : 2,
    )
    const args = url.includes('q=') ? { v: 1, q: 2 } : { v: 1 }
    expect(await sent({ parameters }, path.includes('{') ? args : {}, { path })).toMatchObject({ url })
  })

  it('in headers and cookies', async () => {
    const parameters = [
      { name: 'X-Ids', in: 'header', schema: list },
      { name: 'theme', in: 'cookie', schema: { type: 'string' } },
    ]
    const { headers } = await sent({ parameters }, { 'X-Ids': ['a', 'b'], theme: 'dark;x' })
    expect(headers).toMatchObject({ 'x-ids': 'a,b', cookie: 'theme=dark%3Bx' })
  })

  it.each(['path', 'query', 'cookie'])('refuses half a character in the %s, and logs no error', async (place) => {
    const operation = { operationId: 'run', parameters: [param(place, { type: 'string' })] }
    api.opened = await openApiClient(
      { 'openapi.json': documentOf({ [place === 'path' ? '/x/{v}' : '/x']: { get: operation } }) },
      { baseUrl: api.server.url },
    )
    const { isError, content } = await api.opened.client.callTool('run', { v: '\ud800' })
    expect({ isError, content }).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/half/) as unknown }],
    })
    expect(api.server.requests).toEqual([])
  })

  it.each(['a\r\nx-evil: 1', '5 €', '\ud800'])('refuses %j in a header, and says what fits there', async (v) => {
    const operation = { operationId: 'run', parameters: [param('header', { type: 'string' })] }
    const document = documentOf({ '/x': { get: operation } })
    api.opened = await openApiClient({ 'openapi.json': document }, { baseUrl: api.server.url })
    const got = JSON.stringify(v.toWellFormed())
    expect(await api.opened.client.callTool('run', { v })).toMatchObject({
      isError: true,
      content: [
        { text: `Expected the argument v to fit in an HTTP header (one line, characters up to U+00FF), got ${got}` },
      ],
    })
    expect(api.server.requests).toEqual([])
    expect(api.opened.lines).toEqual([])
  })

  it('whose names model APIs refuse have other argument names, and headers of the connection have none', async () => {
    const parameters = [
      { name: 'filter[state]', in: 'query', schema: { type: 'string' } },
      { name: 'id', in: 'query', schema: { type: 'string' } },
      { name: 'id', in: 'header', schema: { type: 'string' } },
      { name: 'Authorization', in: 'header', schema: { type: 'string' } },
      { name: 'Host', in: 'header', schema: { type: 'string' } },
      { name: 'no header', in: 'header', schema: { type: 'string' } },
    ]
    const request = await sent({ parameters }, { filter_state: 'open', id: 'a', id_header: 'b' })
    expect(request).toMatchObject({ url: '/x?filter%5Bstate%5D=open&id=a', headers: { id: 'b' } })
    const text = { type: 'string' }
    const tools = await api.opened?.client.listTools()
    expect(tools).toMatchObject([{ inputSchema: { additionalProperties: false } }])
    expect(tools).toHaveProperty('0.inputSchema.properties', { filter_state: text, id: text, id_header: text })
  })
})

describe('bodies', () => {
  const bodyOf = (mediaType: string, schema: object, more: object = {}): object => ({
    requestBody: { required: true, content: { [mediaType]: { schema, ...more } } },
  })

  it('JSON', async () => {
    const request = await sent(bodyOf('application/json', object), { body: { a: [1, null] } }, { method: 'post' })
    expect(request.headers['content-type']).toBe('application/json')
    expect(request.body.toString()).toBe('{"a":[1,null]}')
  })

  it('a form, whose objects are JSON unless the document gives a style', async () => {
    const encoding = { deep: { style: 'deepObject' }, lines: { style: 'deepObject' } }
    const request = await sent(
      bodyOf('application/x-www-form-urlencoded', object, { encoding }),
      { body: { a: 'x y', b: [1, 2], c: { d: 1 }, deep: { e: { f: 2 } }, lines: [{ price: 'p', tags: ['t'] }] } },
      { method: 'post' },
    )
    expect(Object.fromEntries(new URLSearchParams(request.body.toString()))).toEqual({
      a: 'x y',
      b: '2',
      c: '{"d":1}',
      'deep[e][f]': '2',
      'lines[0][price]': 'p',
      'lines[0][tags][0]': 't',
    })
    expect(request.body.toString()).toContain('b=1&b=2')
  })

  it('multipart, with files as base64', async () => {
    const binary = { type: 'string', format: 'binary' }
    const scan = { anyOf: [{ contentMediaType: 'application/pdf' }, { type: 'null' }] }
    const more = { anyOf: [{ type: 'array', items: binary }, { type: 'null' }] }
    const schema = { type: 'object', properties: { file: binary, scan, more, about: object, name: { type: 'string' } } }
    const file64 = Buffer.from([0, 255, 10]).toString('base64')
    const body = { file: file64, scan: file64, more: [file64, file64], about: { a: 1 }, name: 'é' }
    const request = await sent(bodyOf('multipart/form-data', schema), { body }, { method: 'post' })
    const form = await new Response(new Uint8Array(request.body), {
      headers: { 'content-type': String(request.headers['content-type']) },
    }).formData()
    const sentFiles = [form.get('file'), form.get('scan'), ...form.getAll('more')] as File[]
    expect(sentFiles).toHaveLength(4)
    for (const one of sentFiles) expect([...new Uint8Array(await one.arrayBuffer())]).toEqual([0, 255, 10])
    expect(form.get('name')).toBe('é')
    expect(request.body.toString()).toContain('name="about"\r\ncontent-type: application/json\r\n\r\n{"a":1}')
  })

  it('text and bytes', async () => {
    const text = await sent(bodyOf('text/plain', { type: 'string' }), { body: 'héllo' }, { method: 'post' })
    expect([text.headers['content-type'], text.body.toString()]).toEqual(['text/plain', 'héllo'])
    await api.opened?.close()
    const base64 = Buffer.from([1, 2, 255]).toString('base64')
    await sent(bodyOf('application/octet-stream', {}), { body: base64 }, { method: 'put' })
    expect([...(api.server.requests[1]?.body ?? [])]).toEqual([1, 2, 255])
  })

  it.each([
    ['an object', object, { a: 1 }, 'application/json', '{"a":1}'],
    ['a list behind a reference', { $ref: '#/components/schemas/List' }, ['a'], 'application/json', '["a"]'],
    ['one of several', { oneOf: [object, list] }, { a: 1 }, 'application/json', '{"a":1}'],
    ['bytes', { type: 'string', format: 'binary' }, 'aGk=', 'application/octet-stream', 'hi'],
    ['anything', {}, 'aGk=', 'application/octet-stream', 'hi'],
  ])('a range of media types is JSON where the schema is one of JSON: %s', async (_what, schema, body, type, bytes) => {
    const request = await sent(bodyOf('*/*', schema), { body }, { method: 'post' })
    expect([request.headers['content-type'], request.body.toString()]).toEqual([type, bytes])
  })

  const file = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }
  const files = { type: 'object', properties: { file: { type: 'array', items: { type: 'string', format: 'binary' } } } }
  it.each([
    ['a text', 'application/octet-stream', {}, 'hello world', 'the argument body to be base64, got "hello world"'],
    ['a data URL', 'multipart/form-data', file, { file: 'data:text/plain;base64,aGk=' }, 'body.file to be base64'],
    ['one of several files', 'multipart/form-data', files, { file: ['aGk=', 'a'] }, 'body.file to be base64, got "a"'],
    ['padding inside', 'application/octet-stream', {}, 'aGk=aGk=', 'to be base64'],
  ])('%s instead of base64 is refused, and nothing is sent', async (_what, mediaType, schema, body, reason) => {
    const operation = { operationId: 'call', ...bodyOf(mediaType, schema) }
    api.opened = await openApiClient(
      { 'openapi.json': documentOf({ '/x': { post: operation } }) },
      { baseUrl: api.server.url },
    )
    const { isError, content } = await api.opened.client.callTool('call', { body })
    expect(isError).toBe(true)
    expect(JSON.stringify(content).replaceAll('\\', '')).toContain(reason)
    expect(api.server.requests).toHaveLength(0)
  })

  it.each([
    ['lines', 'AQ\r\nL/\n'],
    ['the characters of URLs, and no padding', 'AQL_'],
    ['no bytes', ''],
  ])('base64 with %s is understood', async (_what, body) => {
    const request = await sent(bodyOf('application/octet-stream', {}), { body }, { method: 'post' })
    expect([...request.body]).toEqual(body === '' ? [] : [1, 2, 255])
  })
})

describe('numbers that JavaScript would change', () => {
  const big = '9007199254740993'
  const exact = (text: string): object => parseExactly(text) as object
  const bodyOf = (mediaType: string): object => ({ requestBody: { content: { [mediaType]: { schema: object } } } })

  it.each([
    ['in a query', param('query', object, { style: 'deepObject' }), `{"a":${big}}`, `/x?v%5Ba%5D=${big}`],
    ['in a list of a query', param('query', list), `[1.0,${big}]`, `/x?v=1&v=${big}`],
    ['in JSON of a query', { name: 'v', in: 'query', content: { 'application/json': {} } }, big, `/x?v=${big}`],
  ])('keep their digits %s', async (_where, parameter, v, url) => {
    const numbers = { ...parameter, ...('schema' in parameter && { schema: {} }) }
    expect(await sent({ parameters: [numbers] }, exact(`{"v":${v}}`))).toMatchObject({ url })
  })

  it.each(['simple', 'label', 'matrix'])('keep their digits in a path: %s', async (style) => {
    const parameter = param('path', { type: 'integer' }, { style, required: true })
    const { url } = await sent({ parameters: [parameter] }, exact(`{"v":${big}}`), { path: '/x/{v}' })
    expect(decodeURIComponent(url)).toBe({ simple: `/x/${big}`, label: `/x/.${big}`, matrix: `/x/;v=${big}` }[style])
  })

  it.each([
    ['application/json', `{"a":1,"b":[${big}]}`],
    ['application/x-www-form-urlencoded', `a=1&b=${big}`],
    ['multipart/form-data', `name="a"\r\n\r\n1\r\n`],
    ['multipart/form-data', `name="b"\r\n\r\n${big}\r\n`],
  ])('keep their digits in a body: %s', async (mediaType, expected) => {
    const args = exact(`{"body":{"a":1.0,"b":[${big}]}}`)
    const { body } = await sent(bodyOf(mediaType), args, { method: 'post' })
    expect(body.toString()).toContain(expected)
  })
})

describe('credentials', () => {
  const components = {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      login: { type: 'http', scheme: 'basic' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      mutual: { type: 'mutualTLS' },
    },
  }
  const open = async (security: object[], auth: object, parameters: object[] = []): Promise<OpenedApi> => {
    const document = documentOf({ '/x': { get: { operationId: 'run', security, parameters } } }, { components })
    return (api.opened = await openApiClient({ 'openapi.json': document }, { baseUrl: api.server.url, auth }))
  }

  it.each([
    ['token', 'secret', { headers: { authorization: 'Bearer secret' } }],
    ['login', { username: 'ada', password: 'p' }, { headers: { authorization: 'Basic YWRhOnA=' } }],
    ['header', 'secret', { headers: { 'x-key': 'secret' } }],
    ['query', 'se&cret', { url: '/x?api_key=se%26cret' }],
    ['cookie', 'secret', { headers: { cookie: 'sid=secret' } }],
  ])('%s', async (scheme, secret, expected) => {
    const { client } = await open([{ [scheme]: [] }], { [scheme]: secret })
    expect(await client.callTool('run')).toMatchObject({ structuredContent: { ok: true } })
    expect(api.server.requests).toMatchObject([expected])
  })

  it('of the first alternative that is configured', async () => {
    const { client } = await open([{ token: [], header: [] }, { query: [] }], { query: 'q', token: 't' })
    await client.callTool('run')
    expect(api.server.requests).toMatchObject([{ url: '/x?api_key=q' }])
    expect(api.server.requests[0]?.headers['authorization']).toBeUndefined()
  })

  it('are in no schema, no list and no result', async () => {
    const own = [
      { name: 'api_key', in: 'query', schema: { type: 'string' } },
      { name: 'x-key', in: 'header', schema: { type: 'string' } },
    ]
    const { client } = await open([{ query: [] }], { query: 'topsecret' }, own)
    api.server.reply((_request, response) => void response.writeHead(200, { 'content-type': 'font/woff2' }).end('x'))
    const shown = JSON.stringify([await client.listTools(), await client.callTool('run')])
    expect(shown).not.toMatch(/topsecret|api_key|x-key/i)
    expect(api.server.requests).toMatchObject([{ url: '/x?api_key=topsecret' }])
  })

  it.each([
    ['query', 'top secret', 'top%20secret'],
    ['query', 'top secret', 'top+secret'],
    ['header', 'topsecret', 'topsecret'],
    ['cookie', 'topsecret', 'topsecret'],
    ['token', 'topsecret', 'topsecret'],
    ['login', { username: 'ada', password: 'topsecret' }, 'topsecret'],
    ['login', { username: 'ada', password: 'topsecret' }, 'YWRhOnRvcHNlY3JldA=='],
  ])('of the scheme %s are in no result, also when the API repeats them', async (scheme, auth, repeated) => {
    const { client } = await open([{ [scheme]: [] }], { [scheme]: auth })
    const url = `${api.server.url}/x?key=${repeated}&page=2`
    const replies: readonly Reply[] = [
      json({ ok: true, next: url }),
      json({ ok: true }, 200, { link: `<${url}>; rel="next"` }),
      (_request, response) => void response.writeHead(204, { location: url }).end(),
      (_request, response) => void response.writeHead(401, { location: url }).end(`${repeated} is no good key`),
    ]
    for (const reply of replies) {
      api.server.reply(reply)
      const shown = JSON.stringify(await client.callTool('run'))
      expect(shown).toContain('***')
      expect(shown).not.toContain(repeated)
    }
  })

  it('in headers of the configuration are in no result either', async () => {
    const document = documentOf({ '/x': { get: { operationId: 'run' } } })
    const headers = { authorization: 'Bearer topsecret', 'X-Api-Key': 'other secret', 'user-agent': 'some program' }
    const { client } = (api.opened = await openApiClient(
      { 'openapi.json': document },
      { baseUrl: api.server.url, headers },
    ))
    api.server.reply((request, response) => json(request.headers)(request, response))
    const { structuredContent } = await client.callTool('run')
    expect(structuredContent).toMatchObject({
      authorization: 'Bearer ***',
      'x-api-key': '***',
      'user-agent': 'some program',
    })
  })

  // The properties of an object that is exploded are names of their own.
  const exploded = (place: string): object => ({ name: 'v', in: place, schema: object })

  it('and what the document and the configuration send in a query are replaced by no argument', async () => {
    const document = documentOf(
      { '/x?action=list': { get: { operationId: 'run', security: [{ query: [] }], parameters: [exploded('query')] } } },
      { components },
    )
    const options = { baseUrl: `${api.server.url}?tenant=acme`, auth: { query: 'secret' } }
    const { client } = (api.opened = await openApiClient({ 'openapi.json': document }, options))
    const v = { action: 'delete', tenant: 'other', api_key: 'mine', API_KEY: 'mine', limit: 5 }
    await client.callTool('run', { v })
    expect(api.server.requests).toMatchObject([{ url: '/x?action=list&limit=5&tenant=acme&api_key=secret' }])
  })

  it('in cookies are replaced by no argument, also not by the name of one', async () => {
    const { client } = await open([{ cookie: [] }], { cookie: 'secret' }, [exploded('cookie')])
    await client.callTool('run', { v: { sid: 'mine', 'a; sid': 'mine', 'b=c; sid': 1, theme: 'dark' } })
    const cookie = 'a%3B%20sid=mine; b%3Dc%3B%20sid=1; theme=dark; sid=secret'
    expect(api.server.requests).toMatchObject([{ headers: { cookie } }])
  })

  it.each([
    [{ tokn: 'x' }, 'It has token, login, header, query, cookie'],
    [{ mutual: 'x' }, 'of a kind that Junctor cannot do (mutualTLS)'],
  ])('with names that the document does not have are refused: %j', async (auth, message) => {
    await expect(open([], auth)).rejects.toThrow(message)
  })

  it('that are missing are named once in the log', async () => {
    const { lines } = await open([{ token: [] }], {})
    expect(lines).toEqual([
      expect.stringContaining('1 operations are called without secrets: \\"auth\\" has none for token'),
    ])
  })
})
