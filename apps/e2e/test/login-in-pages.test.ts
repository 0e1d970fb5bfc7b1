import { expect } from 'vitest'
import { withLogin } from '../src/login/with-login.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

verifies('LOGIN-19', http, async (cell) => {
  await withLogin(cell, {}, async (site) => {
    const origin = 'https://app.example.com'
    const endpoints = [
      ['GET', '/.well-known/oauth-authorization-server'],
      ['POST', '/oauth/register'],
      ['POST', '/oauth/token'],
      ['POST', '/oauth/revoke'],
    ] as const
    for (const [method, path] of endpoints) {
      const asking = {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type,mcp-protocol-version',
      }
      const preflight = await fetch(`${site.url}${path}`, { method: 'OPTIONS', headers: asking })
      expect([path, preflight.status]).toEqual([path, 204])
      expect([origin, '*']).toContain(preflight.headers.get('access-control-allow-origin'))
      expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
      const allowed = preflight.headers.get('access-control-allow-headers')?.split(/, ?/)
      expect(allowed).toEqual(expect.arrayContaining(['content-type', 'mcp-protocol-version']))
    }
    const bodies = [
      [201, { redirect_uris: ['https://app.example.com/back'] }],
      [400, { redirect_uris: ['javascript:alert(1)'] }],
      [400, { redirect_uris: ['https://app.example.com/back'], client_name: 7 }],
    ] as const
    for (const [status, body] of bodies) {
      const headers = { origin, 'content-type': 'application/json' }
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${site.url}/oauth/register`, sent)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
      await answer.body?.cancel()
    }
  })
})
