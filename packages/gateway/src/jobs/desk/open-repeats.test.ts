import { expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import { sampleSubmission } from '../../../test/support/sample-submission.ts'
import { LargeRequests } from '../../shared/large-requests.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import type { JobRecord } from '../record/job-record.ts'
import type { Submitted } from '../record/submission.ts'
import { createOpenJobs } from '../store/open-jobs.ts'
import { createOpenRepeats } from './open-repeats.ts'

const request: JobRecord = { ...sampleJob, kind: 'queued', session: 's1', idempotencyKey: 'k' }
const refused: Submitted = { kind: 'refused', situation: 'overloaded' }

it.each([
  ['an async one', { ...request, kind: 'async' }],
  ['one with another key', { ...request, idempotencyKey: 'other' }],
] satisfies [string, JobRecord][])(
  'a repeat gets the result of its own request, also after %s with its id',
  async (_, other) => {
    const open = createOpenJobs(defaultGatewayLimits, new LargeRequests(1e6))
    const repeats = createOpenRepeats(open)
    const storing = Promise.withResolvers<Submitted>()
    const first = repeats.submit(request, () => {
      open.add('first', request, sampleSubmission('queued'))
      return storing.promise
    })
    await repeats.submit(other, () => Promise.resolve({ kind: 'refused', situation: 'duplicate_id' }))
    const repeat = repeats.submit(request, () => expect.unreachable('it is a repeat'))
    storing.resolve(refused)
    expect(await first).toEqual(refused)
    expect(await repeat).toEqual(refused)
  },
)
