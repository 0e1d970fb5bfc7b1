import { describe, expect, it } from 'vitest'
import { createMemoryFabric } from '@junctor/fabric'
import type { JsonObject } from '@junctor/jsonrpc'
import { eventually, startNatsServer } from '@junctor/testkit'
import {
  call,
  gates,
  manage,
  managedNodes,
  open,
  openSession,
  parsedFile,
  start,
  token,
  toolsOf,
} from './managed-nodes.ts'

managedNodes()

describe('several nodes', () => {
  it('serve what was added at any of them, also those that start later', async () => {
    const [first, second] = [await start(), await start()]
    await manage(first, 'PUT', 'more', { greet: 'hi' })
    const session = await openSession(second.url)
    await eventually(async () => expect(await call(second.url, session, 'more__hello')).toBe('hi'))
    await manage(second, 'DELETE', 'more')
    await eventually(async () => expect(await call(first.url, session, 'more__hello')).toContain('more__hello'))
    await manage(first, 'PUT', 'later', { greet: 'later' })
    const third = await start()
    expect(await call(third.url, await openSession(third.url), 'later__hello')).toBe('later')
    // They are no difference of policy.
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    await eventually(async () => {
      const status = await fetch(`${first.admin}/status`, { headers })
      const { nodes } = (await status.json()) as { nodes: readonly { policy: string }[] }
      expect(nodes).toHaveLength(3)
      expect(new Set(nodes.map(({ policy }) => policy)).size).toBe(1)
    })
  })

  it('have another policy while one of them has new limits only in its file, because they need a restart', async () => {
    const [first, second] = [await start(), await start({ limits: { grace: '100ms', sessions: 5 } })]
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const policies = async () => {
      const status = await fetch(`${first.admin}/status`, { headers })
      const { nodes } = (await status.json()) as { nodes: readonly { self: boolean; policy: string }[] }
      return [nodes.find(({ self }) => self)?.policy, nodes.find(({ self }) => !self)?.policy]
    }
    await eventually(async () => expect((await policies())[1]).toBeDefined())
    const before = await policies()
    expect(before[0]).not.toBe(before[1])
    const file = parsedFile({ limits: { grace: '100ms', sessions: 5 }, timeout: '5s' })
    expect(await first.node.reload(file)).toMatchObject({ kind: 'taken' })
    expect(await second.node.reload(file)).toMatchObject({ kind: 'taken' })
    await eventually(async () => {
      const [own, other] = await policies()
      expect([own === before[0], other === before[1]]).toEqual([false, false])
      expect(own).not.toBe(other)
    })
  })

  it('undo no change that another node has made in between', async () => {
    const [first, second] = [await start(), await start()]
    const slow = manage(first, 'PUT', 'more', { greet: 'broken late' })
    await gates.creating.promise
    expect(await manage(second, 'PUT', 'more', { greet: 'good' })).toMatchObject({ status: 200 })
    gates.waiting.resolve()
    expect(await slow).toMatchObject({ status: 422 })
    for (const place of [first, second]) {
      await eventually(async () =>
        expect(await manage(place, 'GET', 'more')).toMatchObject({ status: 200, body: { backend: { greet: 'good' } } }),
      )
    }
  })

  it('serve everything else when one that was stored cannot be created, and say which', async () => {
    const fabric = createMemoryFabric(gates.bus)
    const bad = { last: 1, backends: { bad: { entry: { greet: 'broken' }, revision: 1 } } }
    await fabric.store<JsonObject>('added', 60_000).put('backends', bad)
    const place = await start()
    expect(await manage(place, 'GET', '')).toMatchObject({
      status: 200,
      body: { backends: [{ name: 'ours' }, { name: 'bad', problems: [{ kind: 'not_created' }] }] },
    })
    expect(await manage(place, 'PUT', 'good', { greet: 'good' })).toMatchObject({ status: 201 })
    expect(await call(place.url, await openSession(place.url), 'good__hello')).toBe('good')
    expect(await place.node.reload(parsedFile())).toMatchObject({ kind: 'taken' })
    expect(await manage(place, 'DELETE', 'bad')).toMatchObject({ status: 200 })
    await fabric.close()
  })

  it('start with a record of a newer version, and do not change it', async () => {
    const fabric = createMemoryFabric(gates.bus)
    const newer = { last: 1, backends: [] }
    await fabric.store<JsonObject>('added', 60_000).put('backends', newer)
    const place = await start()
    expect(await toolsOf(place.url, await openSession(place.url))).toEqual(['ours__hello', 'ours__wait', 'ours__read'])
    expect(await manage(place, 'PUT', 'more', { greet: 'x' })).toMatchObject({ status: 503 })
    expect((await fabric.store<JsonObject>('added', 60_000).get('backends'))?.value).toEqual(newer)
    await fabric.close()
  })

  it('give one name to one of two that add it at the same time', async () => {
    const places = [await start(), await start()]
    const only = { 'if-none-match': '*' }
    const answers = await Promise.all(
      places.map((place, index) => manage(place, 'PUT', 'more', { greet: `${index}` }, only)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 412])
    const winner = String(answers.findIndex(({ status }) => status === 201))
    for (const place of places) {
      await eventually(async () =>
        expect(await manage(place, 'GET', 'more')).toMatchObject({ body: { backend: { greet: winner } } }),
      )
    }
  })

  it('keep added backends on NATS when all of them restart, and when NATS is killed', async () => {
    const server = await startNatsServer()
    const fabric = { nats: { servers: [server.url], key: 'k'.repeat(32) } }
    const first = await start({ fabric })
    const second = await start({ fabric })
    expect(await manage(first, 'PUT', 'more', { greet: 'kept' })).toMatchObject({ status: 201 })
    const session = await openSession(second.url)
    await eventually(async () => expect(await call(second.url, session, 'more__hello')).toBe('kept'))
    await Promise.all(open.splice(0).map((node) => node.close()))

    const again = await start({ fabric })
    expect(await call(again.url, await openSession(again.url), 'more__hello')).toBe('kept')
    await server.kill()
    const lost = await manage(again, 'PUT', 'other', { greet: 'other' })
    expect(lost).toMatchObject({ status: 503, body: { error: 'fabric_unavailable' } })
    await server.restart()
    // It may or may not have been stored; what the node lists is what it serves.
    await eventually(async () =>
      expect(await manage(again, 'PUT', 'other', { greet: 'other' })).toMatchObject({ body: { name: 'other' } }),
    )
    expect(await call(again.url, await openSession(again.url), 'other__hello')).toBe('other')
    expect(await call(again.url, await openSession(again.url), 'more__hello')).toBe('kept')
    await Promise.all(open.splice(0).map((node) => node.close()))
    await server.stop()
  })
})
