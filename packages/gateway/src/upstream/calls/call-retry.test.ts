import { describe, expect, it } from 'vitest'
import { callRetry, type LostCall } from './call-retry.ts'

const lost: LostCall = {
  loss: 'cut',
  method: 'tools/call',
  isRepeatable: true,
  isSeen: false,
  isAgain: false,
  isUnwanted: false,
  job: 'none',
  breaker: 'closed',
  remainingMs: 1_000,
}

describe('callRetry', () => {
  it.each<[string, Partial<LostCall>, boolean]>([
    ['a tool that may run twice', {}, true],
    ['a tool that may not', { isRepeatable: false }, false],
    ['a tool that may not, and was not sent', { isRepeatable: false, loss: 'unsent' }, true],
    ['a resource', { method: 'resources/read', isRepeatable: false }, true],
    ['a prompt', { method: 'prompts/get', isRepeatable: false }, true],
    ['a completion', { method: 'completion/complete', isRepeatable: false }, true],
    ['the state of a task', { method: 'tasks/get', isRepeatable: false, job: 'backend_lost' }, true],
    ['the task of a tool that may run twice', { method: 'tasks/result' }, false],
    ['a method of the backend itself', { method: 'files/erase' }, false],
    ['such a method that was not sent', { method: 'files/erase', isRepeatable: false, loss: 'unsent' }, true],
    ['a call of which the client has seen something', { isSeen: true }, false],
    ['such a call that was not sent, as it seems', { isSeen: true, loss: 'unsent' }, false],
    ['the second attempt', { isAgain: true }, false],
    ['the second attempt, which was not sent', { isAgain: true, loss: 'unsent' }, false],
    ['a call that nobody wants', { isUnwanted: true }, false],
    ['a call at an open breaker', { breaker: 'open' }, false],
    ['a call while another tries', { breaker: 'half_open' }, false],
    ['a job whose backend was lost', { job: 'backend_lost' }, true],
    ['a job that was not sent', { job: 'backend_lost', loss: 'unsent' }, false],
    ['a job whose node was lost', { job: 'node_lost' }, false],
    ['a call whose time is over after the pause', { remainingMs: 200 }, false],
    ['a call with a little more time', { remainingMs: 201 }, true],
  ])('%s', (_, change, again) => {
    expect(callRetry({ ...lost, ...change }, 0)).toEqual(again ? { kind: 'again', waitMs: 200 } : { kind: 'final' })
  })

  it('pauses at least half as long', () => {
    expect(callRetry(lost, 0.999_999)).toEqual({ kind: 'again', waitMs: 101 })
  })
})
