import { expect, it } from 'vitest'
import { mayRepeat } from './may-repeat.ts'
import { errorOutcome, type AttemptOutcome } from './outcome.ts'

const error = (reason: string, retryable = false): AttemptOutcome =>
  errorOutcome({ code: -32_000, message: '', data: { reason, retryable } })

it.each<[string, AttemptOutcome, again: boolean, againIfHarmless: boolean]>([
  ['a result', { kind: 'result', text: '' }, false, false],
  ['a call that was never sent', { kind: 'refused', what: '' }, true, true],
  ['what may be sent again', error('overloaded', true), true, true],
  ['a session that is over', error('session_unknown'), true, true],
  ['a lost connection', { kind: 'lost', what: '' }, false, true],
  ['a backend that ended', error('backend_exited'), false, true],
  ['an unknown outcome', error('outcome_unknown'), false, true],
  ['an invalid call', error('invalid_params'), false, false],
  ['silence', { kind: 'silent', what: '' }, false, false],
])('%s', (_what, outcome, again, againIfHarmless) => {
  expect([mayRepeat(outcome, 'append'), mayRepeat(outcome, 'echo')]).toEqual([again, againIfHarmless])
})
