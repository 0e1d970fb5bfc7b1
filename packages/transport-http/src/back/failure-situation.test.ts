import { expect, test } from 'vitest'
import { failureSituation } from './failure-situation.ts'
import type { HttpFailure } from './http-failure.ts'

const refused = (status: number, detail?: string): HttpFailure => ({
  kind: 'refused',
  status,
  retryAfterMs: undefined,
  detail,
})

test.each<[HttpFailure, object]>([
  [
    { kind: 'unreachable', error: new Error('connect ECONNREFUSED 10.1.2.3:80') },
    { situation: 'backend_unavailable', loss: 'unsent' },
  ],
  [{ kind: 'session_unknown' }, { situation: 'backend_unavailable' }],
  [
    { kind: 'interrupted', what: 'cut', error: new Error('10.1.2.3') },
    { situation: 'backend_exited', loss: 'cut' },
  ],
  [
    { kind: 'unusable', what: 'no JSON' },
    { situation: 'tool_failed', message: 'The backend gave no answer: no JSON' },
  ],
  [
    { kind: 'refused', status: 429, retryAfterMs: 0, detail: 'later' },
    {
      situation: 'backend_unavailable',
      message: 'The backend answered with HTTP 429: later',
      data: { retryable: true, retryAfterMs: 0 },
    },
  ],
  [
    refused(503),
    { situation: 'backend_unavailable', message: 'The backend answered with HTTP 503', data: { retryable: true } },
  ],
  [refused(500), { situation: 'backend_exited', message: 'The backend answered with HTTP 500' }],
  [
    refused(403, 'no'),
    { situation: 'backend_unavailable', message: 'The backend answered with HTTP 403: no', data: { retryable: false } },
  ],
])('%o is %o', (failure, situation) => {
  expect(failureSituation(failure)).toEqual(situation)
})
