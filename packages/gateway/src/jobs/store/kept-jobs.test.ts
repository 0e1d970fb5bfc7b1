import { expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import type { JobRecord } from '../record/job-record.ts'
import { createKeptJobs } from './kept-jobs.ts'

const kib = 1024
const limits = { jobsKeptOfPrincipal: 10 * kib, jobsKeptOfTenant: 15 * kib }

/** A job whose record has this size in KiB. */
function job(id: string, size: number, more: Partial<JobRecord> = {}): JobRecord {
  return {
    ...sampleJob,
    id,
    owner: 'ada',
    kind: 'async',
    state: 'succeeded',
    createdAt: 0,
    updatedAt: 0,
    outcome: { result: 'x'.repeat((size - 1) * kib) },
    ...more,
  }
}

const ids = (jobs: readonly { readonly id: string }[]): readonly string[] => jobs.map(({ id }) => id)

it('removes the oldest jobs of a principal that has too much', () => {
  const kept = createKeptJobs(limits)
  expect(kept.add(job('a', 4))).toEqual([])
  expect(kept.add(job('b', 4, { owner: 'bob' }))).toEqual([])
  expect(kept.add(job('c', 4))).toEqual([])
  expect(ids(kept.add(job('d', 6)))).toEqual(['a'])
  expect(ids(kept.add(job('e', 9)))).toEqual(['c', 'd'])
})

it('removes the oldest jobs of a tenant that has too much, of any principal', () => {
  const kept = createKeptJobs(limits)
  kept.add(job('a', 8))
  kept.add(job('other', 8, { owner: 'eve', tenant: 'other' }))
  expect(ids(kept.add(job('b', 8, { owner: 'bob' })))).toEqual(['a'])
})

it('keeps one job regardless of its size', () => {
  const kept = createKeptJobs(limits)
  expect(kept.add(job('a', 40))).toEqual([])
  expect(ids(kept.add(job('b', 40)))).toEqual(['a'])
})

it('counts errors and idempotency keys', () => {
  const kept = createKeptJobs(limits)
  const idempotencyKey = 'k'.repeat(5 * kib)
  kept.add(job('a', 1, { idempotencyKey }))
  const data = JSON.stringify('x'.repeat(5 * kib))
  expect(kept.add(job('b', 1, { outcome: { error: { code: 1, message: 'No', data } } }))).toEqual([
    { id: 'a', owner: 'ada', tenant: 'default', createdAt: 0, ttlMs: 100, idempotencyKey },
  ])
})

it('counts a job that ends twice once', () => {
  const kept = createKeptJobs(limits)
  kept.add(job('a', 6))
  expect(kept.add(job('a', 6))).toEqual([])
  expect(kept.add(job('b', 4))).toEqual([])
})

it('removes jobs whose time to live is over', () => {
  const kept = createKeptJobs(limits)
  kept.add(job('a', 6))
  kept.add(job('b', 2, { ttlMs: 200 }))
  expect(kept.sweep(99)).toEqual([])
  expect(ids(kept.sweep(100))).toEqual(['a'])
  expect(kept.sweep(100)).toEqual([])
  expect(kept.add(job('c', 8))).toEqual([])
})
