import type { RequestListener } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { startAlternatingProxy } from './alternating-proxy.ts'
import { startHttpServer, type TestHttpServer } from './start-http-server.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.close()
})

async function serve(listener: RequestListener): Promise<TestHttpServer> {
  const server = await startHttpServer(listener)
  open.push(server)
  return server
}

async function proxyTo(...servers: TestHttpServer[]): Promise<string> {
  const urls = servers.map(({ origin }) => `${origin}/mcp`)
  const proxy = await startAlternatingProxy(urls)
  open.push(proxy)
  return `${proxy.url}/mcp`
}

const echo =
  (name: string): RequestListener =>
  (request, response) => {
    response.writeHead(418, { 'x-server': name, 'x-host': request.headers.host, 'x-path': request.url })
    request.pipe(response)
  }

it('sends each request to the next server, in turn', async () => {
  const url = await proxyTo(await serve(echo('a')), await serve(echo('b')))
  const names: unknown[] = []
  for (let count = 0; count < 4; count++) names.push((await fetch(url)).headers.get('x-server'))
  expect(names).toEqual(['a', 'b', 'a', 'b'])
})

it('changes nothing: neither method, path, host, status nor body', async () => {
  const url = await proxyTo(await serve(echo('a')))
  const answer = await fetch(`${url}?q=1`, { method: 'POST', body: 'Grüße' })
  expect(answer.status).toBe(418)
  expect(answer.headers.get('x-path')).toBe('/mcp?q=1')
  expect(answer.headers.get('x-host')).toBe(new URL(url).host)
  expect(await answer.text()).toBe('Grüße')
})

it('forwards messages on an open stream, and the disconnection of its reader', async () => {
  const gone = Promise.withResolvers<string>()
  const url = await proxyTo(
    await serve((_, response) => {
      response.on('close', () => gone.resolve('gone'))
      response.write('first')
    }),
  )
  const reading = new AbortController()
  const { body } = await fetch(url, { signal: reading.signal })
  const { value } = await (body as ReadableStream<Uint8Array>).getReader().read()
  expect(Buffer.from(value as Uint8Array).toString()).toBe('first')
  reading.abort()
  expect(await gone.promise).toBe('gone')
})

it('cuts the connection of a request whose server cuts it', async () => {
  const url = await proxyTo(await serve((request) => request.socket.destroy()))
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

it('removes its prefix from paths, and adds the address of its client', async () => {
  const server = await serve((request, response) => {
    response.end(`${request.url} ${String(request.headers['x-forwarded-for'])}`)
  })
  const proxy = await startAlternatingProxy()
  open.push(proxy)
  proxy.targets = [`${server.origin}/mcp`]
  proxy.prefix = '/nodes'
  proxy.client = '192.0.2.1'
  const answer = await fetch(`${proxy.url}/nodes/mcp`, { headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect(await answer.text()).toBe('/mcp 192.0.2.7, 192.0.2.1')
  expect(proxy.received).toEqual(['GET /nodes/mcp'])
})
