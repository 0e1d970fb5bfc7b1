import type { Fabric, Store } from '@junctor/contracts'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { JsonValue } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { createJobIds } from '../record/job-ids.ts'
import { newJobRecord } from '../record/submission.ts'
import type { JobRecord } from '../record/job-record.ts'
import { createIdempotencyKeys } from './idempotency.ts'

const nextId = createJobIds()
const jobOf = (): JobRecord => newJobRecord(sampleSubmission('async'), nextId(true), 'one', 60_000, 0)

/** @param isFreed whether the key is released between a write that is refused and the read after it, once */
function start(isFreed = false) {
  const fabric = createMemoryFabric(createMemoryBus(() => 0))
  let left = isFreed ? 1 : 0
  const through: Pick<Fabric, 'store'> = {
    store<T extends JsonValue>(name: string, ttlMs: number): Store<T> {
      const store = fabric.store<T>(name, ttlMs)
      const get: Store<T>['get'] = async (key) => {
        if (left-- > 0) await store.delete(key)
        return store.get(key)
      }
      return { ...store, get }
    },
  }
  return createIdempotencyKeys(through, 60_000, () => 0, expect.unreachable)
}

it('a key that another job has meanwhile is not released with the job that had it first', async () => {
  const keys = start()
  const [first, second, third] = [jobOf(), jobOf(), jobOf()]
  expect(await keys.claim(first, 'k')).toEqual({ kind: 'claimed' })
  const known = await keys.claim(second, 'k')
  if (known.kind !== 'known') throw new Error(`expected a known key, got ${known.kind}`)
  expect(await keys.reassign(second, 'k', known)).toBe(true)
  await keys.release(first, 'k')
  expect(await keys.claim(third, 'k')).toMatchObject({ kind: 'known', job: second.id })
  await keys.release(second, 'k')
  expect(await keys.claim(third, 'k')).toEqual({ kind: 'claimed' })
})

it('a key that is being released goes to no other job', async () => {
  const keys = start()
  const [first, second] = [jobOf(), jobOf()]
  await keys.claim(first, 'k')
  const known = await keys.claim(second, 'k')
  if (known.kind !== 'known') throw new Error(`expected a known key, got ${known.kind}`)
  const releasing = keys.release(first, 'k')
  const reassigned = await keys.reassign(second, 'k', known)
  await releasing
  expect(await keys.claim(jobOf(), 'k')).toMatchObject(reassigned ? { job: second.id } : { kind: 'claimed' })
})

it('a key that is released while another job claims it belongs to that job', async () => {
  const keys = start(true)
  const [first, second] = [jobOf(), jobOf()]
  await keys.claim(first, 'k')
  expect(await keys.claim(second, 'k')).toEqual({ kind: 'claimed' })
  expect(await keys.claim(jobOf(), 'k')).toMatchObject({ kind: 'known', job: second.id })
})
