import type { Fabric } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonValue } from '@junctor/jsonrpc'
import { eventually } from '@junctor/testkit'
import { describe, expect, it } from 'vitest'
import { createHome, createTestPool } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { identityOf, tenantOf } from '../../test/support/test-nodes.ts'
import { idleMs, startSessionNode, startSessionNodes } from '../../test/support/session-nodes.ts'

describe('SessionDirectory', () => {
  it('finds a published session on any node, as one object for concurrent requests', async () => {
    const { home, other, session } = startSessionNodes()
    const front = home.table.admit(session)
    await home.records.create(session)
    expect(await home.directory.find('s_1', identityOf())).toBe(front)
    const [one, two] = await Promise.all([1, 2].map(async () => other.directory.find('s_1', identityOf())))
    expect(one).toMatchObject({ id: 's_1', home: home.fabric.node })
    expect(two).toBe(one)
    expect(other.table.served('s_1')).toBe(one)
  })

  it('does not find it for another identity, nor after it was forgotten', async () => {
    const { home, other, session } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    expect(await other.directory.find('s_1', identityOf('bob'))).toBeUndefined()
    expect(await other.directory.find('s_1', identityOf('ada', 'elsewhere'))).toBeUndefined()
    await home.records.endHere(session)
    expect(await other.directory.find('s_1', identityOf())).toBeUndefined()
  })

  it('sweeps idle sessions, and keeps those in use', () => {
    const { home, session, clock } = startSessionNodes()
    home.table.admit(session)
    clock.advance(idleMs - 1)
    expect(home.sweep()).toEqual([])
    home.table.home('s_1')
    clock.advance(idleMs - 1)
    // A message from a backend does not count as use.
    home.table.peek('s_1')
    expect(home.sweep()).toEqual([])
    clock.advance(1)
    expect(home.sweep()).toEqual([session])
  })

  it('does not treat a session as idle because its node was disconnected from the others', () => {
    const { home, session, clock } = startSessionNodes()
    home.table.admit(session)
    clock.advance(idleMs - 1)
    home.table.markAllUsed()
    clock.advance(idleMs - 1)
    expect(home.sweep()).toEqual([])
    home.keeper.wasAway()
    clock.advance(idleMs - 1)
    expect(home.sweep()).toEqual([])
    clock.advance(1)
    expect(home.sweep()).toEqual([session])
  })

  it('forgets visiting sessions that are idle', async () => {
    const { home, other, session, clock } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    await other.directory.find('s_1', identityOf())
    clock.advance(idleMs - 1)
    await other.directory.find('s_1', identityOf())
    clock.advance(idleMs - 1)
    other.sweep()
    expect([...other.table.visiting()]).toHaveLength(1)
    clock.advance(1)
    other.sweep()
    expect([...other.table.visiting()]).toEqual([])
    expect([...home.table.visiting()]).toEqual([])
  })

  it('retries the renewal of a record until it succeeds', async () => {
    const clock = createManualClock()
    const fabric = createMemoryFabric(createMemoryBus())
    const storeOf: Fabric['store'] = fabric.store.bind(fabric)
    let puts = 0
    let isDown = false
    const store: Fabric['store'] = <T extends JsonValue>(name: string, ttlMs: number) => {
      const real = storeOf<T>(name, ttlMs)
      const put: typeof real.put = (key, value, revision) => {
        puts += 1
        return isDown ? Promise.reject(new Error('there is no server')) : real.put(key, value, revision)
      }
      return { ...real, put }
    }
    const home = startSessionNode(Object.assign(fabric, { store }), clock, {
      isPresent: async () => true,
      search: { find: async () => new Map() },
      end() {},
      leave() {},
    })
    const { session } = createHome('s_1', tenantOf([]), createTestPool(clock))
    home.table.admit(session)
    await home.records.create(session)
    clock.advance(idleMs / 2)
    home.table.home('s_1')
    isDown = true
    home.sweep()
    await eventually(() => expect(puts).toBe(2))
    isDown = false
    await eventually(() => {
      home.sweep()
      expect(puts).toBe(3)
    })
    home.sweep()
    expect(puts).toBe(3)
  })

  it('continues when storage fails during background work', async () => {
    const { home, session, clock } = startSessionNodes()
    home.table.admit(session)
    await home.fabric.close()
    clock.advance(idleMs / 2)
    home.table.home('s_1')
    expect(home.sweep()).toEqual([])
    await expect(home.records.create(session)).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('reports a session whose home is lost as gone, permanently', async () => {
    const { home, other, session, clock, ended, lose, find } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    lose()
    expect(await other.directory.find('s_1', identityOf('bob'))).toBeUndefined()
    expect(await other.directory.find('s_1', identityOf())).toBeUndefined()
    find()
    expect(await other.directory.find('s_1', identityOf())).toBeUndefined()
    // The home was paused meanwhile, and checks its sessions before it serves anything.
    clock.advance(6_000)
    await home.directory.find('s_1', identityOf())
    expect(ended).toEqual(['s_1'])
  })

  it('keeps a session that no request used while its home was disconnected', async () => {
    const { home, session, clock, ended } = startSessionNodes()
    const front = home.table.admit(session)
    await home.records.create(session)
    clock.advance(6_000)
    const found = home.directory.find('s_1', identityOf())
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toBe(front)
    expect(home.directory.find('s_1', identityOf())).toBe(front)
    expect(ended).toEqual([])
  })

  it('does not bring back a session that another node has reported as gone', async () => {
    const { home, other, session, clock, ended, lose } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    lose()
    await other.directory.find('s_1', identityOf())
    clock.advance(idleMs / 2)
    home.table.home('s_1')
    home.sweep()
    await eventually(() => expect(ended).toContain('s_1'))
    expect((await home.fabric.store('sessions', 2 * idleMs).get('s_1'))?.value).toEqual({ ended: true })
  })

  it('writes a lost record again, and keeps the session', async () => {
    const { home, other, session, ended } = startSessionNodes()
    const front = home.table.admit(session)
    await home.records.create(session)
    await home.fabric.store('sessions', 2 * idleMs).delete('s_1')
    expect(await other.directory.find('s_1', identityOf())).toBeUndefined()
    home.keeper.wasAway()
    expect(await home.directory.find('s_1', identityOf())).toBe(front)
    expect(await other.directory.find('s_1', identityOf())).toMatchObject({ home: home.fabric.node })
    expect(ended).toEqual([])
  })

  it('ends a session that was ended on another node, although its home got no message', async () => {
    const { home, other, session, ended } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    await other.directory.find('s_1', identityOf())
    await other.records.end('s_1')
    home.keeper.wasAway()
    await home.directory.find('s_1', identityOf())
    expect(ended).toEqual(['s_1'])
  })

  it('ends a session that was ended on another node while the machine of its home was suspended', async () => {
    const { home, other, session, ended, suspend } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    await other.directory.find('s_1', identityOf())
    await other.records.end('s_1')
    await home.directory.find('s_1', identityOf())
    expect(ended).toEqual([])
    suspend(10_000)
    await home.directory.find('s_1', identityOf())
    expect(ended).toEqual(['s_1'])
  })

  it('does not write an expired record again, because a recorded end may have expired with it', async () => {
    const { home, session, ended, clock } = startSessionNodes()
    home.table.admit(session)
    clock.advance(2 * idleMs)
    await home.directory.find('s_1', identityOf())
    expect(ended).toEqual(['s_1'])
  })

  it('uses the later of two homes', async () => {
    const { home, other, session, ended, left } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    expect(await home.records.move(session, other.fabric.node, 1)).toBe(true)
    // An earlier home writes its record later.
    expect(await home.records.move(session, 'older000', 1)).toBe(true)
    home.keeper.wasAway()
    await home.directory.find('s_1', identityOf())
    expect({ ended, left }).toEqual({ ended: [], left: ['s_1'] })
    expect(await home.fabric.store('sessions', 2 * idleMs).get('s_1')).toMatchObject({
      value: { home: other.fabric.node, moves: 1 },
    })
  })

  it('finds a session at the home that other nodes know, when the home in its record has left', async () => {
    const { home, other, session, lose, know } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    lose()
    know({ s_1: 'third000' })
    expect(await other.directory.find('s_1', identityOf())).toMatchObject({ home: 'third000' })
    expect(await home.fabric.store('sessions', 2 * idleMs).get('s_1')).toMatchObject({ value: { moves: 0 } })
  })

  it('finds the new homes of the sessions of a node that has left, and forgets the ended ones', async () => {
    const { home, other, session, know, left } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    const front = await other.directory.find('s_1', identityOf())
    know({ s_1: 'third000' })
    const followed = other.finder.follow(home.fabric.node, other.forget)
    expect(await other.directory.find('s_1', identityOf())).toBe(front)
    expect(front).toMatchObject({ home: 'third000' })
    await followed
    expect(left).toEqual([])
    know({})
    await other.finder.follow('third000', other.forget)
    expect(left).toEqual(['s_1'])
  })

  it('forgets the sessions of a node that has left with unknown homes: the next request searches', async () => {
    const { home, other, session, know, fail, left } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    await other.directory.find('s_1', identityOf())
    fail()
    await other.finder.follow(home.fabric.node, other.forget)
    expect(left).toEqual([])
    expect(other.table.served('s_1')).toBeUndefined()
    know({})
    expect(await other.directory.find('s_1', identityOf())).toMatchObject({ home: home.fabric.node })
  })

  it('leaves a session that was handed over to this node, when another node got it later', async () => {
    const { home, other, session, clock, left } = startSessionNodes()
    session.moves = 1
    home.table.admit(session)
    await home.records.move(session, other.fabric.node, 2)
    for (let second = 1; second < 10; second += 1) {
      clock.advance(1_000)
      home.sweep()
      expect(home.keeper.checked('s_1')).toBeUndefined()
    }
    clock.advance(1_000)
    home.sweep()
    home.sweep()
    await eventually(() => expect(left).toEqual(['s_1']))
  })

  it('records the end of a session that was handed over, unless it has a later home', async () => {
    const { home, other, session, clock, ended } = startSessionNodes()
    const record = async () => (await home.fabric.store('sessions', 2 * idleMs).get('s_1'))?.value
    session.moves = 1
    await home.records.create(session)
    await home.records.move(session, other.fabric.node, 2)
    await home.records.endHere(session)
    expect(await record()).toMatchObject({ home: other.fabric.node })
    session.moves = 2
    await other.records.endHere(session)
    expect(await record()).toEqual({ ended: true })
    // Another node that got the session without a confirmation reads that record.
    home.table.admit(session)
    clock.advance(10_000)
    home.sweep()
    home.sweep()
    await eventually(() => expect(ended).toEqual(['s_1']))
  })

  it('uses the record to find the home for a job result, and does not wait for a node that was killed', async () => {
    const { home, other, session, lose, fail } = startSessionNodes()
    home.table.admit(session)
    await home.records.create(session)
    lose()
    fail()
    expect(await other.finder.homeOf('s_1', home.fabric.node)).toBe(home.fabric.node)
    await home.records.move(session, 'third000', 1)
    expect(await other.finder.homeOf('s_1', home.fabric.node)).toBe('third000')
  })

  it('does not report a session as unknown when storage may just have lost its record', async () => {
    const { home, other, session, comeBack } = startSessionNodes()
    home.table.admit(session)
    comeBack()
    await expect(other.directory.find('s_1', identityOf())).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
    await other.records.end('s_1')
    expect(await other.directory.find('s_1', identityOf())).toBeUndefined()
  })

  it('finds a session that another node hands over to this node while its record is read', async () => {
    const { home, other, session } = startSessionNodes()
    await home.records.create(session)
    await home.records.move(session, other.fabric.node, 1)
    const found = other.directory.find('s_1', identityOf())
    const front = other.table.admit(session)
    expect(await found).toBe(front)
  })

  it('finds a session that a node which has left had handed over to this node while the others were asked', async () => {
    const { home, other, session, lose, knowNothing } = startSessionNodes()
    await home.records.create(session)
    lose()
    knowNothing(() => void other.table.admit(session))
    expect(await other.directory.find('s_1', identityOf())).toBe(other.table.served('s_1'))
    expect(await home.records.read('s_1')).not.toBe('ended')
    expect(await other.directory.find('s_1', identityOf('bob'))).toBeUndefined()
  })
})
