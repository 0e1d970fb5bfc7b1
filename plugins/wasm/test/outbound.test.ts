import { startHttpServer, type TestHttpServer } from '@junctor/testkit/http'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createOutbound } from '../src/outbound.ts'

let server: TestHttpServer
let url: string
beforeAll(async () => {
  server = await startHttpServer(({ url: path, method, headers }, response) => {
    if (path === '/elsewhere') response.writeHead(302, { location: 'http://localhost/' }).end()
    else response.writeHead(201, { 'x-own': 'a' }).end(`${method} ${path} ${String(headers['x-key'])}`)
  })
  url = server.origin
})
afterAll(() => server.close())

/** Answers for a tool of the gateway. */
const tool: typeof fetch = async (input, init) =>
  Response.json({ asked: input, method: init?.method, body: init?.body })

async function ask(hosts: readonly string[], request: unknown): Promise<unknown> {
  const outbound = await createOutbound(hosts)
  onTestFinished(() => outbound.close())
  const json = typeof request === 'string' ? request : JSON.stringify(request)
  return JSON.parse(await outbound.fetch(json, { fetch: tool, signal: new AbortController().signal }))
}

it('a host on the list is asked, also at a private address', async () => {
  const request = { url: `${url}/a?b=1`, method: 'PUT', headers: { 'x-key': 'k' }, body: 'text' }
  expect(await ask(['127.0.0.1'], request)).toMatchObject({
    status: 201,
    headers: { 'x-own': 'a' },
    body: 'PUT /a?b=1 k',
  })
})

it.each([[[]], [['example.com']], [['localhost']]])('no other host is asked: %j', async (hosts) => {
  expect(await ask(hosts, { url })).toEqual({ error: 'The host 127.0.0.1 is not one of the hosts of this module' })
})

it.each(['http://localhost.:1/', 'http://LOCALHOST:1/', 'http://user@localhost:1/'])(
  'a host is on the list however it is written, and a connection that fails is an error: %s',
  async (written) => {
    expect(await ask(['localhost'], { url: written })).toEqual({ error: expect.not.stringContaining('of this module') })
  },
)

it.each(['host', 'Host'])(
  'no other site of a host is asked: with the header %s a request is an error',
  async (name) => {
    expect(await ask(['127.0.0.1'], { url, headers: { [name]: 'other.example' } })).toEqual({
      error: 'Expected a request whose URL alone names the host',
    })
  },
)

it('a redirect is not followed', async () => {
  expect(await ask(['127.0.0.1', 'localhost'], { url: `${url}/elsewhere` })).toEqual({
    error: expect.stringContaining('redirect') as string,
  })
})

it.each(['nothing', 'null', '[]', {}, { url: 7 }, { url: 'nowhere' }, { url: 'file:///etc/passwd' }])(
  'a request that is none is an error: %j',
  async (request) => {
    expect(await ask(['localhost'], request)).toEqual({ error: expect.any(String) as string })
  },
)

it.each([{ method: 1 }, { headers: [] }, { headers: { a: 1 } }, { body: {} }, { method: 'GET /\r\nx' }])(
  'a request with %j is an error',
  async (more) => {
    expect(await ask(['127.0.0.1'], { url, ...more })).toEqual({ error: expect.any(String) as string })
  },
)

it('a host that is none is an error of the configuration', async () => {
  await expect(createOutbound(['http://localhost/'])).rejects.toThrow('Expected a host')
})

it('a tool of the gateway is asked through it, when it is on the list', async () => {
  const request = { url: 'http://sky.spin.internal/', method: 'POST', body: '{"city":"Oslo"}' }
  const reply = (await ask(['sky.spin.internal'], request)) as { readonly status: number; readonly body: string }
  expect(reply.status).toBe(200)
  expect(JSON.parse(reply.body)).toEqual({ asked: request.url, method: 'POST', body: request.body })
  const refused = { error: 'The host sea.spin.internal is not one of the hosts of this module' }
  expect(await ask(['sky.spin.internal'], { url: 'http://sea.spin.internal/' })).toEqual(refused)
})
