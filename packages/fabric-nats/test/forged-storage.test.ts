import { subjectPath } from '@junctor/nats'
import { expect, test } from 'vitest'
import { NatsLog } from '../src/storage/nats-log.ts'
import { NatsQueue } from '../src/queue/nats-queue.ts'
import { NatsStore } from '../src/storage/nats-store.ts'
import { storageFixture } from './storage-fixture.ts'

// An attacker may have all permissions of a node in NATS, but has no key of the cluster.

const fixture = storageFixture()
const check = (): void => {}
const parts = () => ({ subjects: fixture.subjects, check, now: Date.now })
const openStore = () => new NatsStore<string>(fixture.storage, { ...parts(), name: 's', ttlMs: 60_000 })

/** Stores a message that differs from a node's message only in its seal. */
async function forge(subject: string, data: string | Uint8Array = 'forged'): Promise<void> {
  await fixture.storage.connection.request(subject, data, { timeout: 5_000 })
}

const at = (key: string): string => `$KV.${fixture.subjects.bucket('s')}.${subjectPath(key)}`

test('a forged or copied record counts as absent, and can be put', async () => {
  const store = openStore()
  const before = fixture.storage.foreign.counts.stored
  await store.put('true', 'value')
  const { data } = (await fixture.storage.manager.streams.getMessage(`KV_${fixture.subjects.bucket('s')}`, {
    last_by_subj: at('true'),
  })) ?? { data: new Uint8Array() }
  for (const forged of ['"forged"', '', data]) {
    await forge(at('key'), forged)
    expect(await store.get('key')).toBeUndefined()
    expect(await store.put('key', 'own', 1)).toBe('conflict')
    const revision = await store.put('key', 'own', 0)
    expect(await store.get('key')).toEqual({ value: 'own', revision })
  }
  expect(await store.get('true')).toHaveProperty('value', 'value')
  expect(fixture.storage.foreign.counts.stored).toBeGreaterThan(before)
})

test('a forged item belongs to no node, and does not prevent others from being taken', async () => {
  const queue = new NatsQueue<string>(fixture.storage, { ...parts(), name: 'q', leaseMs: 60_000, mayTake: () => true })
  await queue.push('first', 'of first')
  await forge(fixture.subjects.item('q', 'forged'), '"of forged"')
  await queue.push('last', 'of last')
  for (const id of ['first', 'last']) {
    const lease = await queue.take(AbortSignal.timeout(10_000))
    expect(lease).toMatchObject({ id, value: `of ${id}` })
    await lease?.done()
  }
  const { state } = await fixture.storage.manager.streams.info(fixture.subjects.stream('queue', 'q'))
  expect(state.messages).toBe(0)
})

test('forged entries are not returned, and the numbers of the others continue', async () => {
  const log = new NatsLog(fixture.storage, {
    ...parts(),
    name: 'l',
    bounds: { entries: 100, bytes: 100_000, ageMs: 60_000 },
  })
  expect(await log.append('key', 'one')).toBe(1)
  await forge(fixture.subjects.entries('l', 'key'), 'forged')
  expect(await log.read('key', 0)).toEqual([{ sequence: 1, value: 'one' }])
  expect(await log.append('key', 'two')).toBe(2)
  await forge(fixture.subjects.entries('l', 'key'), 'forged')
  expect(await log.read('key', 0)).toEqual([
    { sequence: 1, value: 'one' },
    { sequence: 2, value: 'two' },
  ])
  expect(await log.read('key', 1)).toEqual([{ sequence: 2, value: 'two' }])
})

test('the pieces of a large text cannot be reordered', async () => {
  const store = openStore()
  await store.put('key', `${'a'.repeat(1_500_000)}${'b'.repeat(1_500_000)}`)
  const stream = fixture.subjects.stream('pieces', 'kv s')
  const { state } = await fixture.storage.manager.streams.info(stream)
  const { subject, data, header } = (await fixture.storage.manager.streams.getMessage(stream, {
    seq: state.first_seq,
  })) ?? { subject: '', data: new Uint8Array(), header: undefined }
  await fixture.storage.manager.streams.deleteMessage(stream, state.first_seq)
  header?.delete('Nats-Msg-Id')
  await fixture.storage.connection.request(subject, data, { timeout: 5_000, ...(header && { headers: header }) })
  await expect(store.get('key')).rejects.toMatchObject({ code: 'FABRIC_UNAVAILABLE' })
})
