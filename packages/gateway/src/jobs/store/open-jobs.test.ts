import { expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { LargeRequests, memoryOf } from '../../shared/large-requests.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import type { JobRecord } from '../record/job-record.ts'
import { createOpenJobs } from './open-jobs.ts'

const params = JSON.stringify({ name: 'a', arguments: { text: 'x'.repeat(100_000) } })
const largeJob: JobRecord = { ...sampleJob, request: { ...sampleJob.request, params } }

it('has room for as many large jobs as the memory, and for small ones always', () => {
  const large = new LargeRequests(2.5 * memoryOf(params))
  const open = createOpenJobs(defaultGatewayLimits, large)
  const add = (key: string, record: JobRecord) => open.add(key, record, sampleSubmission('task'))
  expect([add('a', largeJob), add('b', largeJob), add('c', largeJob)]).toEqual([undefined, undefined, 'overloaded'])
  expect(add('small', sampleJob)).toBeUndefined()
  // Requests that are answered where they came need the same memory.
  expect(large.enter(params, largeJob.principal)).toBeUndefined()
  open.delete('a')
  open.delete('a')
  expect([add('c', largeJob), add('d', largeJob)]).toEqual([undefined, 'overloaded'])
})
