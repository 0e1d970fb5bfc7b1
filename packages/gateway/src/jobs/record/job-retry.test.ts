import type { LastEvent } from '@junctor/exchange'
import { type JsonObject, payloadOf } from '@junctor/jsonrpc'
import { expect, it } from 'vitest'
import { sampleJob } from '../../../test/support/sample-job.ts'
import { jobRetry } from './job-retry.ts'
import type { JobRecord } from './job-record.ts'

const running: JobRecord = {
  ...sampleJob,
  state: 'running',
  node: 'one',
  fence: 5,
  attempt: 1,
  createdAt: 0,
  ttlMs: 60_000,
}

const failed = (data: JsonObject): LastEvent => ({
  kind: 'outcome',
  outcome: { kind: 'error', error: { code: -32_000, message: 'x', data: payloadOf(data) } },
})
const waitsLong = { mayHaveRun: false, waitMs: 8_000 }
const unavailable = { reason: 'backend_unavailable', retryable: true }

it.each([
  // Nothing ran.
  ['no node is present', unavailable, {}, { mayHaveRun: false, waitMs: 250 }],
  ['its backend is not there', { ...unavailable, backend: 'b' }, {}, { mayHaveRun: false, waitMs: 250 }],
  [
    'nodes do not reach each other',
    { reason: 'fabric_unavailable', retryable: true },
    {},
    { mayHaveRun: false, waitMs: 250 },
  ],
  ['there is no room', { reason: 'overloaded', retryable: true, backend: 'b' }, {}, { mayHaveRun: false, waitMs: 250 }],
  ['there is no room for long', { reason: 'overloaded', retryable: true }, { tries: 20 }, waitsLong],
  [
    'there is no room until it is past',
    { reason: 'overloaded', retryable: true },
    { tries: 20, ttlMs: 8_000 },
    undefined,
  ],
  ['no node is present, twice', unavailable, { tries: 2 }, { mayHaveRun: false, waitMs: 1_000 }],
  ['no node is present, often', unavailable, { tries: 7 }, { mayHaveRun: false, waitMs: 8_000 }],
  ['no node is present, too often', unavailable, { tries: 8 }, undefined],
  ['no node is present for the second attempt', unavailable, { attempt: 2 }, { mayHaveRun: false, waitMs: 250 }],
  ['it is to be tried later', { ...unavailable, retryAfterMs: 3_000 }, {}, { mayHaveRun: false, waitMs: 3_000 }],
  ['it is to be tried after its time', { ...unavailable, retryAfterMs: 60_000 }, {}, undefined],
  ['the error is not retryable', { ...unavailable, retryable: false }, {}, undefined],
  // It may have run.
  ['its home is lost', { reason: 'backend_exited' }, {}, { mayHaveRun: true, waitMs: 250 }],
  [
    'its worker is lost',
    { reason: 'backend_exited', backend: 'b', lostNode: true },
    {},
    { mayHaveRun: true, waitMs: 250 },
  ],
  ['its home is lost, too often', { reason: 'backend_exited' }, { attempt: 5 }, undefined],
  // It is over.
  ['its backend has ended', { reason: 'backend_exited', backend: 'b' }, {}, undefined],
  ['it took too long', { reason: 'deadline_exceeded' }, {}, undefined],
  ['its effect is unknown', { reason: 'outcome_unknown' }, {}, undefined],
  ['its session is over', { reason: 'session_unknown' }, {}, undefined],
  ['a client has seen a part of it', unavailable, { emitted: true }, undefined],
  ['its home is lost and a client has seen a part', { reason: 'backend_exited' }, { emitted: true }, undefined],
])('the next attempt of a job when %s', (_what, data, more, again) => {
  expect(jobRetry({ ...running, ...more }, failed(data), 100)).toEqual(again)
})

it('a job that has a result, or was ended, has no further attempt', () => {
  const result: LastEvent = { kind: 'outcome', outcome: { kind: 'complete', result: payloadOf({}) } }
  expect(jobRetry(running, result, 100)).toBeUndefined()
  expect(jobRetry(running, { kind: 'end', reason: 'cancelled' }, 100)).toBeUndefined()
})
