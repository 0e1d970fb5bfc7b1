import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { listDescendants, untilGone } from '@junctor/testkit'
import { handshakeRevisions } from '../src/cell.ts'
import { demo, inGateway, lean } from '../src/in-gateway.ts'
import { textOf } from '../src/result-of.ts'
import { statusesOfVerbs } from '../src/statuses-of-verbs.ts'
import { verifies } from '../src/verifies.ts'

const http = { ways: ['http'] } as const

verifies('MCP-4.20', { ways: ['http'], revisions: handshakeRevisions }, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => scene.http({ listens: false })))
    const ids = clients.map(({ session }) => session ?? '')
    for (const id of ids) expect(id).toMatch(/^[\u0021-\u007e]{32,}$/)
    expect(new Set(ids).size).toBe(20)
    // Random from the first character on: one id does not reveal another.
    expect(new Set(ids.map((id) => id.slice(2, 12))).size).toBe(20)
    // The id is sent once.
    const later = await clients[0]?.post({ jsonrpc: '2.0', id: 'later', method: 'ping' })
    expect(later?.headers.get('mcp-session-id')).toBeNull()
  })
})

verifies('MCP-4.21', http, async (cell) => {
  await inGateway(cell, { demo: demo() }, async (scene) => {
    const one = await scene.http()
    const session = String(one.session)
    for (const id of ['unknown', `${session}x`, session.slice(0, -1), session.toUpperCase(), `s_${'A'.repeat(43)}`]) {
      expect(await statusesOfVerbs(one, cell.nodes, { 'mcp-session-id': id })).toEqual(new Set([404]))
    }
    one.session = undefined
    expect(await statusesOfVerbs(one, cell.nodes, {})).toEqual(new Set([400]))
    one.session = session
    expect((await one.post({ jsonrpc: '2.0', id: 'alive', method: 'tools/list' })).status).toBe(200)
    await one.delete()
    expect(await statusesOfVerbs(one, cell.nodes, {})).toEqual(new Set([404]))
  })
})

verifies(['MCP-4.22', 'MCP-1.7'], http, async (cell) => {
  await inGateway(cell, { lean: lean(), demo: demo() }, async (scene) => {
    const [one, other] = [await scene.http({ listens: false }), await scene.http({ listens: false })]
    const stream = await one.get()
    const before = new Set(listDescendants().map(({ pid }) => pid))
    expect(textOf(await one.request('tools/call', { name: 'lean__received', arguments: {} }))).toContain('initialize')
    const children = listDescendants().filter(({ pid, command }) => !before.has(pid) && command.includes('lean'))
    expect(children).toHaveLength(1)
    const slow = { name: 'demo__slow', arguments: { ms: 60_000 } }
    const call = await one.post({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: slow })
    expect((await one.delete()).status).toBe(204)
    // Its streams, its call and its child end; the other session loses nothing.
    await Promise.all([stream.ended, call.ended])
    await untilGone(children)
    expect(textOf(await other.request('tools/call', { name: 'lean__received', arguments: {} }))).toContain('initialize')
  })
})

const keys = { ada: 'key-of-ada', bob: 'key-of-bob' }
const hashOf = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`
const as = (key: string) => ({ authorization: `Bearer ${key}` })

verifies(['MCP-4.24', 'MCP-4.21'], http, async (cell) => {
  const config = {
    auth: { apiKeys: { ada: { hash: hashOf(keys.ada) }, bob: { hash: hashOf(keys.bob) } } },
  }
  await inGateway(
    cell,
    { demo: demo() },
    async (scene) => {
      const ada = await scene.http({ headers: as(keys.ada) })
      const bob = await scene.http({ headers: as(keys.bob), listens: false })
      const stolen = { 'mcp-session-id': String(ada.session) }
      expect(await statusesOfVerbs(bob, cell.nodes, stolen)).toEqual(new Set([404]))
      expect(await statusesOfVerbs(bob, cell.nodes, { ...stolen, authorization: 'Bearer unknown' })).toEqual(
        new Set([401]),
      )
      // An event id of hers does not give access either.
      const slow = { name: 'demo__progress', arguments: { steps: 1 }, _meta: { progressToken: 1 } }
      await ada.request('tools/call', slow, 'call')
      const { eventId = '' } = await ada.until(({ message: { id } }) => id === 'call')
      expect(eventId).not.toBe('')
      expect((await bob.get({ 'last-event-id': eventId })).status).toBe(400)
      expect((await bob.get({ 'last-event-id': eventId, ...stolen })).status).toBe(404)
      expect((await ada.request('ping'))['result']).toEqual({})
    },
    { config },
  )
})
