import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { machineClient } from '../fixtures/authorization-server.ts'
import { agree, as, linkIn, withAccounts } from '../src/credentials/with-accounts.ts'
import { verifies } from '../src/verifies.ts'
import type { WireClient } from '../src/wire-client.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const tools = async (client: WireClient): Promise<unknown[]> => {
  const { result } = (await client.request('tools/list')) as { result: { tools: { name: string }[] } }
  return result.tools.map(({ name }) => name).toSorted()
}

const call = async (client: WireClient, name: string): Promise<unknown> => {
  const { result, error } = await client.request('tools/call', { name, arguments: {} })
  return result ?? error
}

const said = (text: string) => ({ content: [{ type: 'text', text }] })

verifies('CRED-1', http, async (cell) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const ways = [
    { clientCredentials: machineClient },
    { clientCredentials: { clientId: 'signer', privateKey: await exportPKCS8(privateKey), keyId: 'k1' } },
  ]
  const signer = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  for (const auth of ways) {
    await withAccounts(cell, { signer, backend: () => ({ auth }) }, async ({ client, server }) => {
      const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
      const subject = said(auth.clientCredentials.clientId)
      expect(await Promise.all([call(ada, 'api__whoami'), call(bob, 'api__whoami')])).toEqual([subject, subject])
      const used = () => new Set(server.seen.map(({ authorization }) => authorization).filter(Boolean))
      const nodes = cell.nodes
      expect(used().size).toBeLessThanOrEqual(nodes)
      // Refused all the same: each node gets another one, once.
      for (const token of used()) server.refused.add(String(token).slice('Bearer '.length))
      expect(await Promise.all([call(ada, 'api__whoami'), call(bob, 'api__whoami')])).toEqual([subject, subject])
      expect(used().size).toBeLessThanOrEqual(2 * nodes)
    })
  }
})

verifies('CRED-2', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, publicUrl }) => {
    const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
    expect(await tools(ada)).toEqual(['api__connect'])
    const link = linkIn(await call(ada, 'api__connect'))
    expect(link.startsWith(`${publicUrl}/connections/api/`)).toBe(true)
    await agree(link, 'ada-at-server')
    await ada.until(({ message }) => message['method'] === 'notifications/tools/list_changed')
    await expect.poll(() => tools(ada)).toEqual(['api__sum', 'api__whoami'])
    expect(await call(ada, 'api__whoami')).toEqual(said('ada-at-server'))
    // Another session of the same person, at any node, is connected from its beginning.
    const again = await client(as('ada'))
    expect(await call(again, 'api__whoami')).toEqual(said('ada-at-server'))
    // Another person is not.
    expect(await tools(bob)).toEqual(['api__connect'])
    expect(await call(bob, 'api__whoami')).toMatchObject({ code: -32602 })
    await agree(linkIn(await call(bob, 'api__connect')), 'bob-at-server')
    await expect.poll(() => tools(bob)).toEqual(['api__sum', 'api__whoami'])
    const both = await Promise.all([call(bob, 'api__whoami'), call(ada, 'api__whoami')])
    expect(both).toEqual([said('bob-at-server'), said('ada-at-server')])
  })
})
