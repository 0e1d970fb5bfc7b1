import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { expect, it } from 'vitest'
import { createSingleUse, type SingleUseRecord } from './single-use.ts'

const read = (data: unknown): string | undefined => (typeof data === 'string' ? data : undefined)

it('gives a record to one of all who want it', async () => {
  const fabric = createMemoryFabric(createMemoryBus())
  const store = fabric.store<SingleUseRecord>('steps', 60_000)
  const tickets = createSingleUse('ticket', store, fabric.seal, read)
  await tickets.put('secret', 'value')
  expect([await tickets.look('secret'), await tickets.look('secret')]).toEqual(['value', 'value'])
  const taken = await Promise.all(Array.from({ length: 5 }, () => tickets.take('secret')))
  expect(taken.filter((value) => value !== undefined)).toEqual(['value'])
  expect([await tickets.look('secret'), await tickets.take('secret')]).toEqual([undefined, undefined])
  expect(await tickets.take('another')).toBeUndefined()
  await fabric.close()
})

it('keeps kinds apart, and nothing in clear', async () => {
  const fabric = createMemoryFabric(createMemoryBus())
  const store = fabric.store<SingleUseRecord>('steps', 60_000)
  await createSingleUse('ticket', store, fabric.seal, read).put('secret', 'value')
  expect(await createSingleUse('state', store, fabric.seal, read).take('secret')).toBeUndefined()
  const [name = ''] = await store.keys('')
  expect(`${name} ${(await store.get(name))?.value}`).not.toMatch(/secret|value/)
  await fabric.close()
})
