import { PersonWithBrowser } from '@junctor/testkit'
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose'
import { inspect } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { machineClient, startAuthorizationServer } from '../fixtures/authorization-server.ts'
import { hostileCases, startHostileServers } from '../fixtures/hostile-metadata.ts'
import { startProtectedServer } from '../fixtures/protected-server.ts'
import { callTool, textResult, toolNames } from '../src/credentials/call-tool.ts'
import { agree, as, linkIn, withAccounts } from '../src/credentials/with-accounts.ts'
import { apiKey } from '../src/credentials/with-exchange.ts'
import { inGateway } from '../src/in-gateway.ts'
import { parsedFor } from '../src/parsed-for.ts'
import { openStatelessClient } from '../src/stateless-client.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'], revisions: ['2025-11-25'] } as const

const stateless = { ways: ['http'], revisions: ['2026-07-28'] } as const

/** The gateway is a program with a secret. */
const machineAt = ({ url: issuer }: { readonly url: string }) => ({ clientCredentials: { ...machineClient, issuer } })
const asMachine = (_server: unknown, authority: { readonly url: string }) => ({ auth: machineAt(authority) })
const asPerson = () => ({ auth: { oauth: {} } })

verifies('CRED-1', http, async (cell) => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
  const key = { clientId: 'signer', privateKey: await exportPKCS8(privateKey), keyId: 'k1' }
  const ways = [machineAt, () => ({ clientCredentials: key })]
  const signer = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  for (const authAt of ways) {
    const backend = (_server: unknown, authority: { readonly url: string }) => ({ auth: authAt(authority) })
    await withAccounts(cell, { signer, backend }, async ({ client, server, authority }) => {
      const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
      const subject = textResult(authAt(authority).clientCredentials.clientId)
      expect(await Promise.all([callTool(ada, 'api__whoami'), callTool(bob, 'api__whoami')])).toEqual([
        subject,
        subject,
      ])
      const used = () => new Set(server.seen.map(({ authorization }) => authorization).filter(Boolean))
      const nodes = cell.nodes
      expect(used().size).toBeLessThanOrEqual(nodes)
      // Refused again: each node gets another token, once.
      for (const token of used()) server.refused.add(String(token).slice('Bearer '.length))
      expect(await Promise.all([callTool(ada, 'api__whoami'), callTool(bob, 'api__whoami')])).toEqual([
        subject,
        subject,
      ])
      expect(used().size).toBeLessThanOrEqual(2 * nodes)
    })
  }
})

verifies('CRED-2', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, publicUrl }) => {
    const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
    expect(await toolNames(ada)).toEqual(['api__connect'])
    const link = linkIn(await callTool(ada, 'api__connect'))
    expect(link.startsWith(`${publicUrl}/connections/api/`)).toBe(true)
    await agree(link, 'ada-at-server')
    await ada.until(({ message }) => message['method'] === 'notifications/tools/list_changed')
    await expect.poll(() => toolNames(ada)).toEqual(['api__connect', 'api__hold', 'api__sum', 'api__whoami'])
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada-at-server'))
    // Another session of the same person, at any node, is connected from its beginning.
    const again = await client(as('ada'))
    expect(await callTool(again, 'api__whoami')).toEqual(textResult('ada-at-server'))
    // Another person is not.
    expect(await toolNames(bob)).toEqual(['api__connect'])
    // Every name leads to the page, also one that the server does not have: the answer says nothing about it.
    for (const name of ['api__whoami', 'api__nothing', 'api__connect']) {
      // oxlint-disable-next-line no-await-in-loop -- one link after the other
      expect(linkIn(await callTool(bob, name))).toContain('/connections/api/')
    }
    await agree(linkIn(await callTool(bob, 'api__whoami')), 'bob-at-server')
    await expect.poll(() => toolNames(bob)).toEqual(['api__connect', 'api__hold', 'api__sum', 'api__whoami'])
    const both = await Promise.all([callTool(bob, 'api__whoami'), callTool(ada, 'api__whoami')])
    expect(both).toEqual([textResult('bob-at-server'), textResult('ada-at-server')])
  })
})

verifies('CRED-3', http, async (cell) => {
  await withAccounts(cell, { tokenSeconds: 32 }, async ({ client, server, authority }) => {
    const [ada, again] = await Promise.all([client(as('ada')), client(as('ada'))])
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => toolNames(ada)).toEqual(['api__connect', 'api__hold', 'api__sum', 'api__whoami'])
    // A token counts as old half a minute before its end: two seconds after it was issued.
    const before = server.seen.at(-1)?.authorization
    await expect
      .poll(async () => [await callTool(again, 'api__whoami'), server.seen.at(-1)?.authorization !== before], {
        timeout: 10_000,
      })
      .toEqual([textResult('ada'), true])
    const refreshes = authority.grants().filter((grant) => grant === 'refresh_token').length
    const calls = Array.from({ length: 10 }, (_, index) => callTool(index % 2 === 0 ? ada : again, 'api__whoami'))
    expect(new Set((await Promise.all(calls)).map((result) => JSON.stringify(result)))).toEqual(
      new Set([JSON.stringify(textResult('ada'))]),
    )
    // All links and nodes together have renewed it once, or once more at the border.
    expect(authority.grants().filter((grant) => grant === 'refresh_token').length - refreshes).toBeLessThanOrEqual(1)
    // The server forgets everything: the person is asked again.
    authority.forget()
    await expect
      .poll(async () => JSON.stringify(await callTool(ada, 'api__whoami')), { timeout: 10_000 })
      .toMatch(/connections\/api\//)
    await expect.poll(() => toolNames(ada)).toEqual(['api__connect'])
  })
})

verifies('CRED-4', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, server }) => {
    const ada = await client({ ...as('ada'), capabilities: { elicitation: { url: {} } } })
    const asked = (await callTool(ada, 'api__connect')) as {
      code: number
      data: { elicitations: { elicitationId: string }[] }
    }
    expect(asked).toMatchObject({
      code: -32042,
      data: { reason: 'consent_required', backend: 'api', elicitations: [{ mode: 'url' }] },
    })
    await agree(linkIn(asked), 'ada')
    const [{ elicitationId } = { elicitationId: '' }] = asked.data.elicitations
    await ada.until(({ message }) => {
      const { method, params } = message as { method?: string; params?: { elicitationId?: string } }
      return method === 'notifications/elicitation/complete' && params?.elicitationId === elicitationId
    })
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    // The refusal of a call that was cancelled is not that of the next one, whatever it fails with.
    const refused = server.refuseLate()
    await ada.send({ jsonrpc: '2.0', id: 'late', method: 'tools/call', params: { name: 'api__sum', arguments: {} } })
    await expect.poll(() => server.bodies.some((body) => body.includes('"sum"'))).toBe(true)
    await ada.notify('notifications/cancelled', { requestId: 'late' })
    await refused
    server.failing.add('whoami')
    expect(await callTool(ada, 'api__whoami')).toMatchObject({ data: { reason: 'backend_exited' } })
    server.failing.clear()
    // This tool needs another scope: the person agrees once more, to both.
    const more = await callTool(ada, 'api__sum')
    expect(more).toMatchObject({ code: -32042 })
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    await agree(linkIn(more), 'ada')
    await expect.poll(() => callTool(ada, 'api__sum')).toEqual(textResult('4'))
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
  })
})

verifies('CRED-4', stateless, async (cell) => {
  await withAccounts(cell, {}, async ({ gateway }) => {
    const ada = await openStatelessClient(gateway, cell, { capabilities: { elicitation: { url: {} } }, ...as('ada') })
    const asked = await ada.request('tools/call', { name: 'api__connect', arguments: {} })
    expect(asked).toMatchObject({ result: { resultType: 'input_required' } })
    await agree(linkIn(asked), 'ada')
    const again = await ada.request('tools/call', { name: 'api__connect', arguments: {} })
    expect(JSON.stringify(again)).toContain('api is connected')
    // The nodes learn of it one after the other.
    const called = () => ada.request('tools/call', { name: 'api__whoami', arguments: {} })
    for (const _ of gateway.urls) await expect.poll(called).toMatchObject({ result: textResult('ada') })
    // A client that opens no URLs gets the link as text.
    const bob = await openStatelessClient(gateway, cell, as('bob'))
    const shown = await bob.request('tools/call', { name: 'api__connect', arguments: {} })
    await agree(linkIn(shown), 'bob')
    const calledByBob = () => bob.request('tools/call', { name: 'api__whoami', arguments: {} })
    for (const _ of gateway.urls) await expect.poll(calledByBob).toMatchObject({ result: textResult('bob') })
    await Promise.all([ada.close(), bob.close()])
  })
})

verifies('CRED-5', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, server, publicUrl }) => {
    const ada = await client(as('ada'))
    const browser = await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    const token = String(server.seen.at(-1)?.authorization)
    const page = new URL(`${publicUrl}/connections/api/`)
    const shown = await browser.show(page)
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('api is connected') })
    expect(shown.text).not.toContain(token.slice('Bearer '.length))
    expect(await fetch(page).then(({ status }) => status)).toBe(403)
    expect(await browser.show(page, {})).toMatchObject({ text: expect.stringContaining('api is not connected') })
    await expect
      .poll(async () => JSON.stringify(await callTool(ada, 'api__whoami')), { timeout: 8_000 })
      .toMatch(/connections\/api\//)
    // The link that the tool gives to a connected person leads to the same page, in any browser.
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    const manage = new URL(linkIn(await callTool(ada, 'api__connect')))
    expect(await new PersonWithBrowser('ada').show(manage, { answer: 'end' })).toMatchObject({
      text: expect.stringContaining('api is not connected'),
    })
    // The token is of no use elsewhere either.
    const direct = await fetch(server.url, { method: 'POST', headers: { authorization: token }, body: '{}' })
    expect(direct.status).toBe(401)
  })
})

verifies('CRED-6', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, server, records, publicUrl }) => {
    const ada = await client({ ...as('ada'), capabilities: { elicitation: { url: {} } } })
    const offered = async () => new URL(linkIn(await callTool(ada, 'api__connect')))
    const back = (url: URL) => url.pathname.endsWith('/callback')
    const connected = () => toolNames(ada)

    // A form from elsewhere, and a link that was used.
    const link = await offered()
    expect(await fetch(link, { method: 'POST', body: new URLSearchParams({ form: 'x' }) }).then(status)).toBe(403)
    const [browser, other] = [new PersonWithBrowser('ada'), new PersonWithBrowser('mallory')]
    const answer = await browser.authorize(link, back)
    expect((await browser.show(link)).status).toBe(404)
    expect(await fetch(`${publicUrl}/connections/api/invented`).then(status)).toBe(404)

    // The answer in another browser, with another issuer, without its state: no account is connected.
    expect((await other.show(answer)).status).toBe(400)
    const changed = (name: string, value: string) => {
      const url = new URL(answer)
      url.searchParams.set(name, value)
      return url
    }
    expect((await browser.show(changed('state', 'invented'))).status).toBe(400)
    expect((await browser.show(changed('state', ''))).status).toBe(400)
    expect((await browser.show(changed('iss', 'https://evil.example.com'))).status).toBe(502)
    expect(await connected()).toEqual(['api__connect'])
    // That answer was the only one to its state.
    expect((await browser.show(answer)).status).toBe(400)

    // A person who refuses is not connected, and one who agrees is, once.
    const denied = await browser.authorize(await offered(), back)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(await browser.show(denied)).toMatchObject({ status: 403, text: expect.stringContaining('access_denied') })
    expect(await connected()).toEqual(['api__connect'])
    const good = await browser.authorize(await offered(), back)
    expect((await browser.show(good)).status).toBe(303)
    expect((await browser.show(good)).status).toBe(400)
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))

    // Of the client the server sees nothing, and the log has no secret.
    const sent = JSON.stringify(server.seen)
    for (const text of ['key-of-ada', 'cookie', 'x-forwarded', 'mcp-session-id']) expect(sent).not.toContain(text)
    const logged = inspect(records, { depth: 20 })
    const token = String(server.seen.at(-1)?.authorization).slice('Bearer '.length)
    const parameters = [good, answer].flatMap(({ searchParams: all }) => [all.get('code'), all.get('state')])
    for (const secret of [token, link.pathname.split('/').at(-1), ...parameters]) expect(logged).not.toContain(secret)
  })
})

verifies('CRED-7', http, async (cell) => {
  const servers = await startHostileServers()
  onTestFinished(() => servers.close())
  const numbers = [...hostileCases.keys(), hostileCases.length]
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const clientCredentials = { clientId: 'signer', privateKey: await exportPKCS8(privateKey) }
  const entry = (number: number) => [`b${number}`, { url: servers.url(number), auth: { clientCredentials } }]
  await inGateway(cell, Object.fromEntries(numbers.map(entry)), async ({ client }) => {
    const one = await client()
    await one.request('tools/list')
    expect(await Promise.all(numbers.map((number) => callTool(one, `b${number}__any`)))).toHaveLength(numbers.length)
    expect(servers.trapped()).toBe(0)
    // The good one, whose server refuses everything: it was asked with the token that was issued for it.
    expect(servers.welcomed()).toBeGreaterThan(0)
  })
})

verifies('CRED-7', http, async (cell) => {
  const weak = { title: 'no S256', authority: () => ({ code_challenge_methods_supported: ['plain'] }) }
  const servers = await startHostileServers([weak])
  onTestFinished(() => servers.close())
  await withAccounts(
    cell,
    { backend: () => ({ url: servers.url(0), auth: { oauth: { clientId: 'c' } } }) },
    async (own) => {
      const ada = await own.client(as('ada'))
      const browser = new PersonWithBrowser('ada')
      const shown = await browser.show(new URL(linkIn(await callTool(ada, 'api__connect'))), {})
      expect([shown.status, servers.trapped()]).toEqual([502, 0])
      expect(own.records.map(({ fields }) => String(fields['error'])).join()).toContain('S256')
    },
  )
})

verifies('CRED-16', http, async (cell) => {
  const others = ['DPoP algs="ES256"', 'Basic realm="people"']
  await withAccounts(cell, {}, async ({ client, server }) => {
    server.otherChallenges.push(...others)
    const ada = await client(as('ada'))
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    // Of a tool that needs another scope too.
    await agree(linkIn(await callTool(ada, 'api__sum')), 'ada')
    await expect.poll(() => callTool(ada, 'api__sum')).toEqual(textResult('4'))
  })
  await withAccounts(cell, { backend: asMachine }, async ({ client, server }) => {
    server.otherChallenges.push(...others)
    const ada = await client(as('ada'))
    expect(await callTool(ada, 'api__whoami')).toEqual(textResult(machineClient.clientId))
  })
})

verifies('CRED-17', http, async (cell) => {
  await withAccounts(cell, { tokenSeconds: 32 }, async ({ client, authority }) => {
    const [ada, bob] = await Promise.all([client(as('ada')), client(as('bob'))])
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    await authority.forgetClients()
    // Her token counts as old two seconds after it was issued.
    await expect
      .poll(async () => JSON.stringify(await callTool(ada, 'api__whoami')), { timeout: 10_000 })
      .toMatch(/connections\/api\//)
    await expect.poll(() => toolNames(ada)).toEqual(['api__connect'])
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    await authority.forgetClients()
    await agree(linkIn(await callTool(bob, 'api__connect')), 'bob')
    await expect.poll(() => callTool(bob, 'api__whoami')).toEqual(textResult('bob'))
  })
})

verifies('CRED-18', http, async (cell) => {
  for (const backend of [asPerson, asMachine]) {
    // A token counts as old half a minute before its end: two seconds after it was issued.
    await withAccounts(cell, { tokenSeconds: 32, backend }, async ({ client, authority }) => {
      const ada = await client(as('ada'))
      const subject = textResult(backend === asPerson ? 'ada' : machineClient.clientId)
      if (backend === asPerson) await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
      await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(subject)
      authority.breakDown()
      const called = async () => [await callTool(ada, 'api__whoami'), authority.failures() > 0]
      await expect.poll(called, { timeout: 10_000 }).toEqual([subject, true])
      const before = authority.failures()
      const calls = await Promise.all(Array.from({ length: 20 }, () => callTool(ada, 'api__whoami')))
      expect(new Set(calls.map((result) => JSON.stringify(result)))).toEqual(new Set([JSON.stringify(subject)]))
      expect(authority.failures() - before).toBeLessThan(20)
    })
  }
})

verifies('CRED-19', http, async (cell) => {
  await withAccounts(cell, { wantsSecrets: true, tokenSeconds: 32 }, async ({ client, authority }) => {
    const ada = await client(as('ada'))
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    const called = async () => [await callTool(ada, 'api__whoami'), authority.grants().includes('refresh_token')]
    await expect.poll(called, { timeout: 10_000 }).toEqual([textResult('ada'), true])
  })
})

verifies('CRED-20', http, async (cell) => {
  for (const backend of [asPerson, asMachine]) {
    await withAccounts(cell, { hasPages: true, backend }, async ({ client }) => {
      const ada = await client(as('ada'))
      if (backend === asPerson) await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
      const subject = textResult(backend === asPerson ? 'ada' : machineClient.clientId)
      await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(subject)
    })
  }
})

verifies('CRED-21', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, authority, server }) => {
    const ada = await client(as('ada'))
    await agree(linkIn(await callTool(ada, 'api__connect')), 'ada')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada'))
    const next = await startAuthorizationServer('opaque')
    onTestFinished(() => next.close())
    server.authority = next.url
    authority.moveAway()
    const link = linkIn(await callTool(ada, 'api__whoami'))
    // A new session finds the way too.
    expect(await toolNames(await client(as('ada')))).toEqual(['api__connect'])
    expect(next.grants()).toEqual([])
    await agree(link, 'ada-again')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada-again'))
    expect(next.grants()).toEqual(['authorization_code'])
  })
})

verifies('CRED-22', http, async (cell) => {
  await withAccounts(cell, {}, async ({ client, gateway, authority, publicUrl }) => {
    const before = await client(as('ada'))
    await agree(linkIn(await callTool(before, 'api__connect')), 'ada')
    await expect.poll(() => callTool(before, 'api__whoami')).toEqual(textResult('ada'))
    const other = await startProtectedServer(authority.url)
    onTestFinished(() => other.close())
    const auth = { apiKeys: { ada: apiKey('key-of-ada') } }
    const config = { publicUrl, auth, backends: { api: { url: other.url, auth: { oauth: {} } } } }
    await Promise.all(gateway.nodes.map((node) => node.reload(parsedFor(config))))
    const ada = await client(as('ada'))
    expect(await toolNames(ada)).toEqual(['api__connect'])
    const link = linkIn(await callTool(ada, 'api__connect'))
    expect(other.seen.flatMap(({ authorization }) => authorization ?? [])).toEqual([])
    await agree(link, 'ada-again')
    await expect.poll(() => callTool(ada, 'api__whoami')).toEqual(textResult('ada-again'))
  })
})

const status = ({ status: code }: Response): number => code
