import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { JunctorError } from '@junctor/protocol'
import { expect, test, vi } from 'vitest'
import { startFront } from '../../../test/front-fixture.ts'
import { send } from '../../../test/http-fixture.ts'
import type { FindPage } from './pages.ts'

const pages: FindPage = (path) => {
  if (path === '/hello') return (request, response) => void response.end(`${request.method ?? ''} ${request.url ?? ''}`)
  if (path === '/client') return (_request, response, client) => void response.end(client)
  if (path === '/broken') return () => Promise.reject(new Error('a secret'))
  if (path === '/unstored') return () => Promise.reject(new JunctorError('FABRIC_UNAVAILABLE', 'a secret'))
  if (path === '/mcp') return (_request, response) => void response.end('in place of the endpoint')
  return undefined
}

async function ask(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, init)
  return { status: answer.status, text: await answer.text() }
}

test('pages are served beside the endpoint, with their bodies unread, and the rest is refused as before', async () => {
  const { port } = await startFront({ pages })
  const at = `http://127.0.0.1:${port}`
  expect(await ask(`${at}/hello?x=1`)).toEqual({ status: 200, text: 'GET /hello?x=1' })
  const posted = { method: 'POST', body: 'a=1', headers: { origin: 'https://elsewhere.example.com' } }
  expect(await ask(`${at}/hello`, posted)).toEqual({ status: 200, text: 'POST /hello' })
  expect((await ask(`${at}/nothing`)).status).toBe(404)
  expect((await ask(`${at}/mcp`)).text).not.toContain('in place')
})

test('an error of a page says nothing, and harms nobody else', async () => {
  const { port } = await startFront({ pages })
  const at = `http://127.0.0.1:${port}`
  const { status, text } = await ask(`${at}/broken`)
  expect([status, text.includes('secret')]).toEqual([500, false])
  const unstored = await fetch(`${at}/unstored`)
  expect([unstored.status, unstored.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await unstored.json()).toMatchObject({ error: { data: { reason: 'fabric_unavailable', retryable: true } } })
  expect((await ask(`${at}/hello`)).status).toBe(200)
})

/** What is reported when a client sends so many of 100 bytes to a page that reads them, and leaves. */
async function reportedAfter(sent: number, read: (request: IncomingMessage) => Promise<unknown>) {
  const [received, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const page = async (request: IncomingMessage): Promise<void> => {
    received.resolve()
    await read(request).finally(answered.resolve)
  }
  const { port, gateway } = await startFront({ pages: () => page })
  const reported = vi.spyOn(gateway, 'reportError')
  const socket = connect(port, '127.0.0.1')
  socket.write('POST /form HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n' + 'x'.repeat(sent))
  await received.promise
  // After the whole request, an end alone does not say that the client has left.
  socket.resetAndDestroy()
  await answered.promise
  await turn()
  return reported.mock.calls.map(([, error]) => error)
}

const closing = (request: IncomingMessage) => new Promise((resolve) => void request.socket.once('close', resolve))

test('a client that leaves is no error of the page that reads its form, and any other error is one', async () => {
  expect(await reportedAfter(50, buffer)).toEqual([])
  const late = (request: IncomingMessage) => closing(request).then(() => buffer(request))
  for (const sent of [0, 50, 100]) expect(await reportedAfter(sent, late)).toEqual([])
  const failing = (request: IncomingMessage) => closing(request).then(() => Promise.reject(new Error('a fault')))
  expect(await reportedAfter(50, failing)).toEqual([new Error('a fault')])
  const reset = Object.assign(new Error('of another connection'), { code: 'ECONNRESET' })
  expect(await reportedAfter(50, () => Promise.reject(reset))).toEqual([reset])
})

test('a page is for the hosts of the gateway alone', async () => {
  const { port } = await startFront({ pages })
  const statusFor = async (host: string) =>
    (await send(port, { method: 'GET', path: '/hello', headers: { host } })).status
  expect(await statusFor('evil.example.com')).toBe(403)
  expect(await statusFor(`localhost:${port}`)).toBe(200)
})

test('a page learns how its client is counted', async () => {
  const open = await startFront({ pages })
  const behind = await startFront({ pages, listen: { trustedProxies: ['127.0.0.0/8'] } })
  const clientAt = async (port: number, address: string) =>
    (await send(port, { method: 'GET', path: '/client', headers: { 'x-forwarded-for': address } })).text
  expect(await clientAt(open.port, '203.0.113.7')).toBe('127.0.0.1')
  expect(await clientAt(behind.port, '198.51.100.1, 203.0.113.7:80')).toBe('203.0.113.7')
  expect(await clientAt(behind.port, '2001:db8:0:1::7')).toBe('2001:db8:0:1::/64')
  expect(await clientAt(behind.port, 'unknown')).toBe('127.0.0.1')
})
