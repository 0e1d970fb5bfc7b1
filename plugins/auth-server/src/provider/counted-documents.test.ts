import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createTestPluginContext } from '@junctor/plugin-sdk/testing'
import { defaultOAuthPaths } from '@junctor/plugin-sdk'
import { startHttpServer } from '@junctor/testkit/http'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { config } from '../config.ts'
import { createAuthServer } from '../create-auth-server.ts'

test.each(['token', 'revoke'])(
  'the %s endpoint asks other servers for 60 documents of one address in a minute',
  async (endpoint) => {
    let asked = 0
    const other = createServer((socket) => {
      asked += 1
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { authServer } = z.parse(config, { authServer: { documentHosts: ['127.0.0.1'] } })
    const site = { publicUrl: 'http://127.0.0.1:3000', oauthPaths: defaultOAuthPaths }
    const server = await createAuthServer(authServer, { ...createTestPluginContext(), site })
    let client = '192.0.2.1'
    const front = await startHttpServer((request, response) => void server.pages.handle(request, response, client))
    onTestFinished(async () => void (await Promise.all([server.close(), front.close()])))
    const ask = async (n: number): Promise<unknown> => {
      const id = `https://127.0.0.1:${(other.address() as AddressInfo).port}/${n}`
      const body = new URLSearchParams({ client_id: id, grant_type: 'refresh_token', refresh_token: 'r', token: 't' })
      // The header is of the client, which may write anything into it.
      const headers = { 'x-forwarded-for': `192.0.2.${n}` }
      const { status } = await fetch(`${front.origin}/oauth/${endpoint}`, { method: 'POST', body, headers })
      return status
    }
    const statuses = await Promise.all(Array.from({ length: 70 }, (_, n) => ask(n)))
    expect([asked, new Set(statuses)]).toEqual([60, new Set([503])])
    client = '192.0.2.2'
    await ask(70)
    expect(asked).toBe(61)
  },
)
