import { expect } from 'vitest'
import { agree, as, linkIn, withAccounts } from '../src/credentials/with-accounts.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

// A server that binds each of its sessions to the account that has begun it, and people who agree again.

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const said = (text: string) => ({ content: [{ type: 'text', text }] })

async function call(client: WireClient, name: string): Promise<unknown> {
  const { result, error } = await client.request('tools/call', { name, arguments: {} })
  return result ?? error
}

verifies('CRED-23', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, server }) => {
    server.bindsSessions = true
    const [ada, again] = await Promise.all([client(as('ada')), client(as('ada'))])
    const whoami = () => Promise.all([call(ada, 'api__whoami'), call(again, 'api__whoami')])
    await agree(linkIn(await call(ada, 'api__connect')), 'old')
    await expect.poll(whoami).toEqual([said('old'), said('old')])
    await agree(linkIn(await call(ada, 'api__connect')), 'new')
    await expect.poll(whoami, { timeout: 10_000 }).toEqual([said('new'), said('new')])
    // The scope that this tool needs is granted as the one account or the other: nobody knows.
    await agree(linkIn(await call(ada, 'api__sum')), 'new')
    await expect.poll(() => call(ada, 'api__sum')).toEqual(said('4'))
    await expect.poll(() => server.sessions.slice(-2)).toEqual(['new', 'new'])
    expect(server.sessions.length).toBeGreaterThan(4)
  })
})

verifies('CRED-23', http, async (cell) => {
  const backend = ({ url }: { readonly url: string }) =>
    ({ api: { url, auth: { oauth: { scope: 'openid mcp' } } } }).api
  await withAccounts(cell, { backend }, async ({ client, server }) => {
    server.bindsSessions = true
    const ada = await client(as('ada'))
    await agree(linkIn(await call(ada, 'api__connect')), 'old')
    await expect.poll(() => call(ada, 'api__whoami')).toEqual(said('old'))
    const before = [...server.sessions]
    await agree(linkIn(await call(ada, 'api__sum')), 'old')
    await expect.poll(() => call(ada, 'api__sum')).toEqual(said('4'))
    expect(server.sessions).toEqual(before)
    await agree(linkIn(await call(ada, 'api__sum').then(() => call(ada, 'api__connect'))), 'new')
    await expect.poll(() => call(ada, 'api__whoami'), { timeout: 10_000 }).toEqual(said('new'))
    // A call that comes while the account changes may begin one more.
    expect(new Set(server.sessions.slice(before.length))).toEqual(new Set(['new']))
  })
})
