import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Log, silentLog } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { JunctorError } from '@junctor/protocol'
import { eventually } from '@junctor/testkit'
import { createAddedBackends } from './added-backends.ts'
import { type AddedStore, createAddedStore } from './added-store.ts'

const any = { kind: 'none' } as const

function twoNodes() {
  const bus = createMemoryBus()
  return ['one', 'two'].map((name) => {
    const fabric = createMemoryFabric(bus, name)
    const store = createAddedStore(fabric, () => {}, silentLog)
    const apply = vi.fn<() => Promise<void>>(async () => {})
    const added = createAddedBackends({ fabric, store, plugins: [], apply, log: silentLog, reportError: () => {} })
    return { fabric, store, apply, added }
  })
}

type Node = ReturnType<typeof twoNodes>[number]

describe('AddedBackends', () => {
  let near: Node
  let far: Node

  beforeEach(() => {
    // Only the timer that looks for missed changes is replaced.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    ;[near, far] = twoNodes() as [Node, Node]
    for (const { added } of [near, far]) added.follow()
  })
  afterEach(async () => {
    for (const { added, fabric } of [near, far]) {
      await added.close()
      await fabric.close()
    }
    vi.useRealTimers()
  })

  it('serves a change of another node as soon as it is announced', async () => {
    await near.store.change('a', { url: 'a' }, any)
    await near.added.refresh()
    expect(near.apply).toHaveBeenCalledOnce()
    near.added.announce()
    await eventually(() => expect(far.apply).toHaveBeenCalledOnce())
    expect(far.added.record.backends).toHaveProperty('a')
  })

  it('serves a change whose announcement was lost', async () => {
    await near.store.change('a', { url: 'a' }, any)
    await vi.advanceTimersByTimeAsync(10_000)
    await eventually(() => expect(far.apply).toHaveBeenCalledOnce())
  })

  it('stores what it serves again when the store has lost it', async () => {
    await near.store.change('a', { url: 'a' }, any)
    await near.added.refresh()
    await near.fabric.store('added', 1_000).delete('backends')
    await near.added.refresh()
    expect(near.added.record.backends).toHaveProperty('a')
    expect((await far.store.read())?.backends).toHaveProperty('a')
    expect(near.apply).toHaveBeenCalledOnce()
  })

  it('changes a backend that the store has lost, and loses no other', async () => {
    for (const name of ['a', 'b']) await near.store.change(name, { url: name }, any)
    await near.added.refresh()
    await near.fabric.store('added', 1_000).delete('backends')
    expect(await near.store.change('a', undefined, any)).toMatchObject({ kind: 'removed' })
    expect(Object.keys((await far.store.read())?.backends ?? {})).toEqual(['b'])
  })

  it('serves no removed backend again: its removal is stored', async () => {
    await near.store.change('a', { url: 'a' }, any)
    await near.added.refresh()
    await near.store.change('a', undefined, any)
    await near.added.refresh()
    expect(near.added.record.backends).toEqual({})
  })

  it('looks no more after it was closed', async () => {
    for (const { added } of [near, far]) await added.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('says once that it cannot look for changes while the fabric does not answer', async () => {
    const warn = vi.fn<Log['warn']>()
    const read = vi.fn<AddedStore['read']>(() =>
      Promise.reject(new JunctorError('FABRIC_UNAVAILABLE', 'the connection to NATS is lost')),
    )
    const parts = { ...near, store: { ...near.store, read }, log: { ...silentLog, warn } }
    const added = createAddedBackends({ ...parts, plugins: [], reportError: () => {} })
    added.follow()
    await vi.advanceTimersByTimeAsync(30_000)
    await added.close()
    expect(read).toHaveBeenCalledTimes(3)
    expect(warn).toHaveBeenCalledOnce()
  })

  it('applies nothing when nothing has changed', async () => {
    await near.added.refresh()
    expect(near.apply).not.toHaveBeenCalled()
  })

  it('keeps the former record when it cannot be served, and tries again', async () => {
    await near.store.change('a', { url: 'a' }, any)
    near.apply.mockRejectedValueOnce(new Error('not today'))
    await expect(near.added.refresh()).rejects.toThrow('not today')
    expect(near.added.record.last).toBe(0)
    await near.added.refresh()
    expect(near.added.record.last).toBe(1)
  })
})
