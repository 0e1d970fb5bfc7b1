import { describe, expect, it, vi } from 'vitest'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { silentLog, type UnreadableReporter } from '@junctor/contracts'
import type { JsonValue } from '@junctor/jsonrpc'
import { createAddedStore } from './added-store.ts'

const any = { kind: 'none' } as const

describe('AddedStore', () => {
  it('loses no change of nodes that change backends at the same time', async () => {
    const fabric = createMemoryFabric(createMemoryBus())
    const stores = [createAddedStore(fabric, () => {}, silentLog), createAddedStore(fabric, () => {}, silentLog)]
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const changes = names.flatMap((name, index) => stores[index % 2]?.change(name, { url: name }, any) ?? [])
    expect((await Promise.all(changes)).map(({ kind }) => kind)).toEqual(names.map(() => 'added'))
    const record = await stores[0]?.read()
    expect(Object.keys(record?.backends ?? {}).toSorted()).toEqual(names)
    expect(new Set(Object.values(record?.backends ?? {}).map(({ revision }) => revision)).size).toBe(names.length)
    await fabric.close()
  })

  it.each<readonly [string, JsonValue]>([
    ['null', null],
    ['a list', []],
    ['backends that are no objects', { last: 1, backends: { a: { entry: 7, revision: 1 } } }],
    ['no revision', { last: 1, backends: { a: { entry: {} } } }],
  ])('reports a record of %s, and does not overwrite it', async (_, value) => {
    const fabric = createMemoryFabric(createMemoryBus())
    const stored = fabric.store<JsonValue>('added', 60_000)
    const revision = await stored.put('backends', value)
    const unreadable = vi.fn<UnreadableReporter>()
    const store = createAddedStore(fabric, unreadable, silentLog)
    expect(await store.read()).toBeUndefined()
    await expect(store.change('b', { url: 'b' }, any)).rejects.toThrow('cannot be read')
    expect(unreadable).toHaveBeenCalledWith('added_backends', 'backends', expect.any(String))
    expect((await stored.get('backends'))?.revision).toBe(revision)
    await fabric.close()
  })

  it('keeps what a newer version has added to the record', async () => {
    const fabric = createMemoryFabric(createMemoryBus())
    const more = { last: 3, backends: { a: { entry: { url: 'a' }, revision: 3, by: 'me' } }, policy: 'new' }
    await fabric.store<JsonValue>('added', 60_000).put('backends', more)
    const store = createAddedStore(fabric, () => {}, silentLog)
    await store.change('b', { url: 'b' }, any)
    expect(await store.read()).toMatchObject({
      last: 4,
      policy: 'new',
      backends: { a: { by: 'me' }, b: { revision: 4 } },
    })
    await fabric.close()
  })
})
