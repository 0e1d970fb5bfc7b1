import { JunctorError } from '@junctor/protocol'
import { expect, test } from 'vitest'
import { describeFailure } from './http-failure.ts'

const expired = new Error('certificate has expired')

test.each([
  [expired, 'certificate has expired'],
  [
    new Error('the authorization server does not answer', { cause: expired }),
    'does not answer: certificate has expired',
  ],
  [
    new Error('does not answer', { cause: new Error('no connection: certificate has expired', { cause: expired }) }),
    'does not answer: no connection: certificate has expired',
  ],
  [
    new JunctorError('BACKEND_UNREACHABLE', 'The authorization server does not answer', { cause: expired }),
    'The authorization server does not answer: certificate has expired',
  ],
  [Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
])('why a server cannot be reached is told once: %o', (error, reason) => {
  expect(describeFailure({ kind: 'unreachable', error })).toMatch(
    new RegExp(`^the server cannot be reached: .*${reason}$`),
  )
  expect(describeFailure({ kind: 'unreachable', error })).not.toContain('[')
  expect(describeFailure({ kind: 'unreachable', error }).split('has expired').length).toBeLessThanOrEqual(2)
})
