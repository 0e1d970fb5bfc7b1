import { expect, test } from 'vitest'
import { startFront } from '../../test/front-fixture.ts'
import { send } from '../../test/http-fixture.ts'
import type { FindPage } from './pages.ts'

const pages: FindPage = (path) => {
  if (path === '/hello') return (request, response) => void response.end(`${request.method ?? ''} ${request.url ?? ''}`)
  if (path === '/broken') return () => Promise.reject(new Error('a secret'))
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
  expect((await ask(`${at}/hello`)).status).toBe(200)
})

test('a page is for the hosts of the gateway alone', async () => {
  const { port } = await startFront({ pages })
  const statusFor = async (host: string) =>
    (await send(port, { method: 'GET', path: '/hello', headers: { host } })).status
  expect(await statusFor('evil.example.com')).toBe(403)
  expect(await statusFor(`localhost:${port}`)).toBe(200)
})
